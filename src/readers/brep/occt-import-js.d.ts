// occt-import-js ships without types; occt-kernel.ts declares what its functions take and return.
declare module 'occt-import-js' {
  const load: (module: object) => Promise<unknown>;
  export default load;
}
