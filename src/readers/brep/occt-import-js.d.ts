// occt-import-js ships without types; occt.ts says what its functions take and give.
declare module 'occt-import-js' {
  const load: (module: object) => Promise<unknown>;
  export default load;
}
