/** Puts files and folders into the library. */
export function UploadScreen() {
  return <h1>Upload</h1>;
}
