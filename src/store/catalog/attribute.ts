/** A fact about a file, given as `name=value` or `name(unit)=value`. */
export interface Attribute {
  /** As given, with its casing. */
  readonly name: string;
  /** '' when there is none. */
  readonly unit: string;
  /** One or more, each once, in the order in which they were given. */
  readonly values: readonly string[];
}

/** A fact that a file states about itself. */
export interface ExtractedAttribute {
  readonly name: string;
  /** '' when there is none. */
  readonly unit: string;
  /** One value; no character in it has a special meaning. */
  readonly value: string;
}
