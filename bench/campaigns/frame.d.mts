/** Types of the campaigns' frame, for tests written in TypeScript. */
export interface CampaignOptions {
  seed?: number;
  count?: number;
  minutes?: number;
  only?: string;
  folder?: string;
  signal?: AbortSignal;
  progress?: (done: number, total: number, note?: string) => void;
  /** Told of each finding when it is found. */
  report?: (finding: string) => void;
}
export interface CampaignRow {
  what: string;
  count: number;
  findings?: number;
  note?: string;
}
export interface CampaignFigure {
  what: string;
  asked: string;
  found: string;
  met: boolean;
}
export interface CampaignFinding {
  what: string;
  /** The options that repeat this case alone. */
  repeat?: string;
  details?: unknown;
}
export interface CampaignResult {
  name: string;
  options: Pick<CampaignOptions, 'seed' | 'count' | 'minutes' | 'only'>;
  seconds: number;
  rows: CampaignRow[];
  figures: CampaignFigure[];
  findings: CampaignFinding[];
  notes: string[];
}
export function campaigns(): string[];
export function campaignFile(name: string): URL;
export function runCampaign(name: string, options?: CampaignOptions): Promise<CampaignResult>;
export function figure(
  what: string,
  found: number,
  bounds?: { most?: number; least?: number; unit?: string },
): CampaignFigure;
export function tableOf(result: CampaignResult): string;
export function allMet(result: Pick<CampaignResult, 'figures'>): boolean;
