/**
 * A DWG file of forty lines, a circle and a text, written by acad-ts.
 * @param {'AC1015' | 'AC1018' | 'AC1024' | 'AC1032'} version AutoCAD 2000, 2004, 2010, 2018.
 */
export async function dwg(version) {
  const acad = await import('@node-projects/acad-ts');
  const document = new acad.CadDocument();
  for (let i = 0; i < 40; i++) {
    const line = new acad.Line();
    line.startPoint = new acad.XYZ(i, 0, 0);
    line.endPoint = new acad.XYZ(2 * i, 50, 0);
    document.modelSpace.entities.add(line);
  }
  const circle = new acad.Circle();
  circle.radius = 5;
  circle.center = new acad.XYZ(3, 3, 0);
  document.modelSpace.entities.add(circle);
  const text = new acad.TextEntity();
  text.value = 'PLATE 12';
  text.height = 5;
  text.insertPoint = new acad.XYZ(1, 2, 0);
  document.modelSpace.entities.add(text);
  document.header.version = acad.ACadVersion[version];
  return Buffer.from(acad.DwgWriter.writeToBuffer(document));
}
