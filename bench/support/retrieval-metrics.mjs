/**
 * Retrieval measures of one ranked list (Shilane, Min, Kazhdan & Funkhouser 2004, "The Princeton Shape Benchmark").
 * @param {boolean[]} relevant for each place of the list, the query left out
 * @param {number} others members of the query's class beside the query, at least 1
 * @returns {{ nn: number, firstTier: number, secondTier: number, dcg: number, map: number }} each 0 to 1
 */
export function rankedListMeasures(relevant, others) {
  let found = 0;
  let precision = 0;
  let gain = 0;
  let firstTier = 0;
  let secondTier = 0;
  relevant.forEach((hit, i) => {
    if (!hit) return;
    found++;
    precision += found / (i + 1);
    gain += discount(i + 1);
    if (i < others) firstTier++;
    if (i < 2 * others) secondTier++;
  });
  let ideal = 0;
  for (let rank = 1; rank <= others; rank++) ideal += discount(rank);
  return {
    nn: relevant[0] ? 1 : 0,
    firstTier: firstTier / others,
    secondTier: secondTier / others,
    dcg: gain / ideal,
    map: precision / others,
  };
}

function discount(rank) {
  return rank === 1 ? 1 : 1 / Math.log2(rank);
}

/**
 * Kendall's tau-b between two lists of numbers; undefined where one of them is constant.
 * @param {number[]} a
 * @param {number[]} b
 */
export function kendallTau(a, b) {
  let concordant = 0;
  let discordant = 0;
  let tiedA = 0;
  let tiedB = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < i; j++) {
      const x = Math.sign(a[i] - a[j]);
      const y = Math.sign(b[i] - b[j]);
      if (x === 0) tiedA++;
      if (y === 0) tiedB++;
      if (x * y > 0) concordant++;
      if (x * y < 0) discordant++;
    }
  }
  const pairs = (a.length * (a.length - 1)) / 2;
  const scale = Math.sqrt((pairs - tiedA) * (pairs - tiedB));
  return scale > 0 ? (concordant - discordant) / scale : undefined;
}

/** Mean of each property over a list of objects with the same properties. */
export function meanOf(rows) {
  const sums = {};
  for (const row of rows)
    for (const [name, value] of Object.entries(row)) sums[name] = (sums[name] ?? 0) + value / rows.length;
  return sums;
}
