// What jsdom lacks, and Mantine and uPlot ask for. Imported before anything that draws.
Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
window.matchMedia ??= (query: string) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList; // the part that is used
globalThis.ResizeObserver ??= class {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
};
Element.prototype.scrollIntoView ??= () => undefined;
// jsdom lays nothing out: lists are given a height, so that they draw their first rows.
Object.defineProperties(Element.prototype, {
  clientWidth: { configurable: true, get: () => 800 },
  clientHeight: {
    configurable: true,
    get(this: Element) {
      return this.getAttribute('role') === 'list' ? 600 : 30;
    },
  },
});
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() });
export {};
