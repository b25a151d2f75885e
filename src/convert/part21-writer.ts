/** Builds the text of a STEP file (ISO 10303-21, AP214), one instance after the other. */
export class Part21Writer {
  readonly #lines: string[] = [];
  readonly #name: string;
  readonly #description: string;

  /** @param description what the file holds, in ASCII. */
  constructor(name: string, description: string) {
    this.#name = name;
    this.#description = description;
  }

  /** Adds an instance and returns its name, such as `#12`. */
  add(instance: string): string {
    const name = `#${this.#lines.length + 1}`;
    this.#lines.push(`${name}=${instance};`);
    return name;
  }

  bytes(): Uint8Array {
    const head = [
      'ISO-10303-21;',
      'HEADER;',
      `FILE_DESCRIPTION((${quoted(this.#description)}),'2;1');`,
      `${fileName(this.#name)};`,
      `FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));`,
      'ENDSEC;',
      'DATA;',
    ];
    return new TextEncoder().encode([...head, ...this.#lines, 'ENDSEC;', 'END-ISO-10303-21;', ''].join('\n'));
  }

  /**
   * Units: millimetres, radians.
   * @param accuracyMm distance within which places are the same.
   */
  context(accuracyMm = 1e-5): string {
    const length = this.add('(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.))');
    const angle = this.add('(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.))');
    const solid = this.add('(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT())');
    const accuracy = this.add(
      `UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(${real(accuracyMm)}),${length},'distance_accuracy_value','')`,
    );
    return this.add(
      `(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((${accuracy}))` +
        `GLOBAL_UNIT_ASSIGNED_CONTEXT((${length},${angle},${solid}))REPRESENTATION_CONTEXT('',''))`,
    );
  }

  /** Adds a product; returns the definition that its shape belongs to. */
  product(label: string): string {
    const application = this.add(`APPLICATION_CONTEXT('core data for automotive mechanical design processes')`);
    this.add(`APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,${application})`);
    const product = this.add(
      `PRODUCT(${label},${label},'',(${this.add(`PRODUCT_CONTEXT('',${application},'mechanical')`)}))`,
    );
    this.add(`PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,(${product}))`);
    const formation = this.add(`PRODUCT_DEFINITION_FORMATION('','',${product})`);
    const design = this.add(`PRODUCT_DEFINITION_CONTEXT('part definition',${application},'design')`);
    return this.add(
      `PRODUCT_DEFINITION_SHAPE('','',${this.add(`PRODUCT_DEFINITION('design','',${formation},${design})`)})`,
    );
  }

  /** The file's coordinate axes as a placement. */
  origin(): string {
    const point = this.add(`CARTESIAN_POINT('',(0.,0.,0.))`);
    return this.add(
      `AXIS2_PLACEMENT_3D('',${point},${this.add(`DIRECTION('',(0.,0.,1.))`)},${this.add(`DIRECTION('',(1.,0.,0.))`)})`,
    );
  }
}

/** A REAL of ISO 10303-21: it must have a decimal point, and the exponent is written E. */
export function real(value: number): string {
  const text = String(value);
  const [digits, exponent] = text.split('e');
  return `${digits.includes('.') ? digits : `${digits}.`}${exponent === undefined ? '' : `E${exponent}`}`;
}

/** A STRING of ISO 10303-21; characters beyond ASCII as UTF-16 in `\\X2\\`. */
export function quoted(text: string): string {
  const encoded = text
    .replaceAll('\\', '\\\\')
    .replaceAll("'", "''")
    .replace(/[^\x20-\x7e]+/g, (run) => {
      const codes = Array.from({ length: run.length }, (_, i) => run.charCodeAt(i).toString(16).padStart(4, '0'));
      return `\\X2\\${codes.join('').toUpperCase()}\\X0\\`;
    });
  return `'${encoded}'`;
}

/** The header of a STEP file, without the time of day, so that the same model gives the same bytes. */
function fileName(name: string): string {
  return `FILE_NAME(${quoted(name)},'1970-01-01T00:00:00',(''),(''),'shapedex','','')`;
}

/** Replaces the modeller's header, which holds the time of day. */
export function withStepHeader(bytes: Uint8Array, name: string): Uint8Array {
  const text = Buffer.from(bytes)
    .toString('latin1')
    .replace(/FILE_NAME\([^;]*\);/, () => `${fileName(name)};`);
  return new Uint8Array(Buffer.from(text, 'latin1'));
}
