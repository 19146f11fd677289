/** The horizontal arrow key that leads forward where an element stands. */
export const forwardKey = (element: Element): 'ArrowLeft' | 'ArrowRight' =>
  getComputedStyle(element).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
