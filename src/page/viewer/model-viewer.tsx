import { Notice } from '../common/notice.js';
import { Picture } from '../common/picture.js';
import { useShownModel } from './use-shown-model.js';
import { ViewerDesk } from './viewer-desk.js';
import './viewer.css';

interface ModelViewerProps {
  readonly uid: string;
  /** Name of the file, for screen readers. */
  readonly name?: string;
}

/** A model in 3D with its tools; without WebGL, or if the model cannot be loaded, a picture and the reason. */
export function ModelViewer({ uid, name = 'the model' }: ModelViewerProps) {
  const { value: model, failure } = useShownModel(uid);
  if (failure !== undefined) {
    return (
      <div class="viewer">
        <Notice kind="info">{failure}</Notice>
        <div class="viewer-still">
          <Picture uid={uid} kind="ThreeD" size="large" alt={`Picture of ${name}`} />
        </div>
      </div>
    );
  }
  if (model === undefined)
    return (
      <div class="viewer">
        <div class="viewer-frame viewer-coming">
          <Picture uid={uid} kind="ThreeD" alt="" />
          <span role="status">Loading the model…</span>
        </div>
      </div>
    );
  return <ViewerDesk key={uid} uid={uid} name={name} model={model} />;
}
