import type { OpenApiDocument, OpenApiOperation, OpenApiSchema } from './openapi.js';

/** A page to read the document in: plain HTML with its style inside, no script, nothing from the network. */
export function docsPage({ info, paths, components }: OpenApiDocument): string {
  const rows = Object.entries(paths).flatMap(([path, methods]) => Object.entries(methods).map(([method, operation]) => ({ path, method, operation })));
  const tags = [...new Set(rows.map(({ operation }) => operation.tags[0]))];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escape(info.title)} ${escape(info.version)}</title>
<style>
body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
code,.path{font-family:ui-monospace,monospace}h2{margin-top:2.5rem;border-bottom:1px solid #ccc}
details{border:1px solid #ccc;border-radius:4px;margin:.5rem 0}summary{padding:.5rem;cursor:pointer}details>div{padding:0 1rem 1rem}
.method{display:inline-block;width:4.5rem;font-weight:bold}table{border-collapse:collapse;width:100%}td,th{border:1px solid #ddd;padding:.3rem .5rem;text-align:left;vertical-align:top}
.deprecated{text-decoration:line-through}.muted{color:#666}
@media (prefers-color-scheme:dark){body{color:#ddd;background:#181818}details,td,th,h2{border-color:#444}.muted{color:#999}a{color:#8bf}}
</style></head><body>
<h1>${escape(info.title)} ${escape(info.version)}</h1>
<p>${escape(info.description)} As a document for programs: <a href="openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<p>${tags.map((tag) => `<a href="#${escape(tag)}">${escape(tag)}</a>`).join(' · ')} · <a href="#schemas">Schemas</a></p>
${tags.map((tag) => `<h2 id="${escape(tag)}">${escape(tag)}</h2>${rows.filter(({ operation }) => operation.tags[0] === tag).map(({ path, method, operation }) => operationHtml(path, method, operation)).join('')}`).join('')}
<h2 id="schemas">Schemas</h2>
${Object.entries(components.schemas).map(([name, schema]) => `<details id="schema-${escape(name)}"><summary><code>${escape(name)}</code></summary><div>${schemaHtml(schema)}</div></details>`).join('')}
</body></html>
`;
}

function operationHtml(path: string, method: string, { summary, description = '', parameters = [], requestBody, responses, security = [] }: OpenApiOperation): string {
  const paragraphs = description.split('\n\n').filter(Boolean).map((text) => `<p>${escape(text)}</p>`).join('');
  const query = parameters.length === 0 ? '' : `<h4>Query</h4><table><tr><th>Name</th><th>Type</th><th>Default</th><th></th></tr>${parameters.map(({ name, required, deprecated, schema, description: about = '' }) =>
    `<tr><td><code${deprecated === true || schema.deprecated === true ? ' class="deprecated"' : ''}>${escape(name)}</code>${required === true ? ' *' : ''}</td><td>${typeOf(schema)}</td><td>${schema.default === undefined ? '' : `<code>${escape(String(schema.default))}</code>`}</td><td>${escape(about)}</td></tr>`).join('')}</table>`;
  const body = requestBody === undefined ? '' : `<h4>Body</h4><p>${escape(requestBody.description ?? '')} <span class="muted">${escape(Object.keys(requestBody.content).join(', '))}</span></p>`;
  const answers = `<h4>Answers</h4><table>${Object.entries(responses).map(([status, { description: about, content }]) => {
    const [schema] = Object.values(content ?? {}).map((media) => media.schema);
    return `<tr><td>${escape(status)}</td><td>${escape(about)}</td><td>${schema === undefined ? '' : typeOf(schema)}</td></tr>`;
  }).join('')}</table>`;
  return `<details><summary><span class="method">${escape(method.toUpperCase())}</span><span class="path">/api${escape(path)}</span> <span class="muted">${escape(summary)}${security.length === 0 ? ' (no token)' : ''}</span></summary><div>${paragraphs}${query}${body}${answers}</div></details>`;
}

function schemaHtml({ properties, description }: OpenApiSchema): string {
  const about = description === undefined ? '' : `<p>${escape(description)}</p>`;
  if (properties === undefined) return about;
  return `${about}<table>${Object.entries(properties).map(([name, schema]) => `<tr><td><code>${escape(name)}</code></td><td>${typeOf(schema)}</td><td>${escape(schema.description ?? '')}</td></tr>`).join('')}</table>`;
}

function typeOf({ $ref, type, format, items, anyOf }: OpenApiSchema): string {
  if ($ref !== undefined) {
    const name = $ref.slice($ref.lastIndexOf('/') + 1);
    return `<a href="#schema-${escape(name)}">${escape(name)}</a>`;
  }
  if (anyOf !== undefined) return anyOf.map(typeOf).join(' or ');
  if (items !== undefined) return `array of ${typeOf(items)}`;
  return escape(`${[type ?? 'any'].flat().join(' or ')}${format === undefined ? '' : ` (${format})`}`);
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
