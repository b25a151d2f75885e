import type { OpenApiDocument, OpenApiOperation, OpenApiSchema } from './openapi.js';
import { LENGTH_LIMIT } from './parameters.js';

const METHODS = ['get', 'put', 'post', 'delete'];

/** The OpenAPI document as an HTML page with inline styles; it has no scripts and loads nothing from the network. */
export function docsPage({ info, paths, components }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    METHODS.filter((method) => method in methods).map((method) => ({ path, method, operation: methods[method] })),
  );
  const tags = [...new Set(rows.map(({ operation }) => operation.tags[0]))];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(info.title)} ${escape(info.version)}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
code{font-family:ui-monospace,monospace}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}
details{border:1px solid #ccc;border-radius:4px;margin:.5rem 0}summary{padding:.5rem;cursor:pointer}details>div{padding:0 1rem 1rem;overflow-x:auto}
.method{display:inline-block;width:4.5rem;font-weight:bold}table{border-collapse:collapse;width:100%}td,th{border:1px solid #ddd;padding:.3rem .5rem;text-align:left;vertical-align:top}
th{font-weight:600}td:last-child{min-width:12rem}.muted{color:#666}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}details,td,th,h2{border-color:#444}.muted{color:#999}a{color:#8bf}}
</style></head><body>
<h1>${escape(info.title)} ${escape(info.version)}</h1>
<p>${prose(info.description)} As a document for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1). A * marks what must be given.</p>
<p>${tags.map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join(' · ')} · <a href="#schemas">Schemas</a></p>
${tags
  .map(
    (tag) =>
      `<h2 id="${escape(tag)}">${escape(tag)}</h2>${rows
        .filter(({ operation }) => operation.tags[0] === tag)
        .map(({ path, method, operation }) => operationHtml(path, method, operation))
        .join('')}`,
  )
  .join('')}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas)
  .map(([name, schema]) => schemaHtml(name, schema))
  .join('')}
</body></html>
`;
}

function operationHtml(
  path: string,
  method: string,
  { summary, description = '', parameters = [], requestBody, responses, security = [] }: OpenApiOperation,
): string {
  const paragraphs = description
    .split('\n\n')
    .filter(Boolean)
    .map((text) => `<p>${prose(text)}</p>`)
    .join('');
  const query =
    parameters.length === 0
      ? ''
      : `<h4>Query</h4>${table(
          ['Name', 'Type', 'Default', 'About'],
          parameters.map(({ name, required, deprecated, schema, description: about = '' }) => [
            `<code>${escape(name)}</code>${required === true ? ' <b title="required">*</b>' : ''}`,
            `${typeOf(schema)}${rangeOf(schema)}`,
            schema.default === undefined ? '' : `<code>${escape(String(schema.default))}</code>`,
            `${deprecated === true || schema.deprecated === true ? '<i>Deprecated.</i> ' : ''}${prose(about)}`,
          ]),
        )}`;
  const body =
    requestBody === undefined
      ? ''
      : `<h4>Body</h4><p>${prose(requestBody.description ?? '')} <span class="muted">${escape(Object.keys(requestBody.content).join(', '))}</span></p>`;
  const answers = `<h4>Answers</h4>${table(
    ['Status', 'When', 'Body'],
    Object.entries(responses).map(([status, { description: about, content }]) => {
      const [schema] = Object.values(content ?? {}).map((media) => media.schema);
      return [escape(status), prose(about), schema === undefined ? '' : typeOf(schema)];
    }),
  )}`;
  return `<details><summary><span class="method">${escape(method.toUpperCase())}</span><code>/api${escape(path)}</code> <span class="muted">${escape(summary)}${security.length === 0 ? ' (no token)' : ''}</span></summary><div>${paragraphs}${query}${body}${answers}</div></details>`;
}

/** The id is on the content of the details element, because browsers open the details that hold a link's target. */
function schemaHtml(name: string, { properties, description }: OpenApiSchema): string {
  const about = description === undefined ? '' : `<p>${prose(description)}</p>`;
  const fields =
    properties === undefined
      ? ''
      : table(
          ['Field', 'Type', 'About'],
          Object.entries(properties).map(([field, schema]) => [
            `<code>${escape(field)}</code>`,
            `${typeOf(schema)}${rangeOf(schema)}`,
            prose(schema.description ?? ''),
          ]),
        );
  return `<details><summary><code>${escape(name)}</code></summary><div id="schema-${escape(name)}">${about}${fields}</div></details>`;
}

/** Cells are HTML. */
function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  return `<table><tr>${heads.map((head) => `<th>${head}</th>`).join('')}</tr>${rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('')}</table>`;
}

function typeOf({ $ref, type, format, items, anyOf, enum: values }: OpenApiSchema): string {
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
  }
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (items !== undefined) return `array of ${typeOf(items)}${[type].flat().includes('null') ? ' or null' : ''}`;
  if (values !== undefined) return values.map((value) => `<code>${escape(String(value))}</code>`).join(', ');
  return escape(`${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : ` (${format})`}`);
}

/** The bounds that are displayed; the length limit that every text has is left out. */
function rangeOf({ type, minimum, maximum, maxLength }: OpenApiSchema): string {
  const range =
    minimum !== undefined && maximum !== undefined
      ? `${minimum} to ${maximum}`
      : minimum !== undefined
        ? `from ${minimum}`
        : maximum !== undefined
          ? `to ${maximum}`
          : '';
  const length =
    type === 'string' && maxLength !== undefined && maxLength < LENGTH_LIMIT ? `at most ${maxLength} characters` : '';
  return [range, length]
    .filter(Boolean)
    .map((bound) => `, ${bound}`)
    .join('');
}

/** Text with `code` in it. */
function prose(text: string): string {
  return escape(text).replace(/`([^`]+)`/g, '<code>$1</code>');
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
