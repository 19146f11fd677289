/**
 * Lets the app work in a page that the browser translates. A translator puts an element with the translation in the
 * place of each text, and React goes on to use the text: it removes it or inserts something before it, which throws
 * where the text is no child of its parent any more (facebook/react#11538), or changes it, which shows nowhere. What
 * stands in the text's place is removed, or inserted before; a changed text returns, to be translated again.
 */
export function allowTranslation(): void {
  // oxlint-disable-next-line typescript/unbound-method -- each is called on its node
  const { removeChild, insertBefore, replaceChild } = Node.prototype
  Node.prototype.removeChild = function removeTranslated<T extends Node>(this: Node, child: T): T {
    const inPlace = childFor(this, child)
    // Without one the translator has removed it.
    if (inPlace) removeChild.call(this, inPlace)
    return child
  }
  Node.prototype.insertBefore = function insertTranslated<T extends Node>(
    this: Node,
    added: T,
    before: Node | null,
  ): T {
    return insertBefore.call(this, added, before && childFor(this, before)) as T
  }
  Node.prototype.replaceChild = function replaceTranslated<T extends Node>(
    this: Node,
    added: Node,
    child: T,
  ): T {
    const inPlace = childFor(this, child)
    if (inPlace) replaceChild.call(this, added, inPlace)
    else this.appendChild(added)
    return child
  }
  new MutationObserver(noteTranslations).observe(document.documentElement, { childList: true, subtree: true })
}

/** The elements that stand in the place of texts. */
const standIns = new WeakMap<Node, Element>()

/** The child of `parent` that is or contains `node` or what stands in its place; null where there is none. */
function childFor(parent: Node, node: Node): Node | null {
  let inside: Node | null = node.parentNode ? node : (standIns.get(node) ?? node)
  while (inside && inside.parentNode !== parent) inside = inside.parentNode
  return inside
}

const isTranslation = (node: Node | null | undefined): node is Element => node?.nodeName === 'FONT'

/** The app itself makes no `font`. */
function noteTranslations(records: MutationRecord[]): void {
  for (const { removedNodes, addedNodes, previousSibling, nextSibling } of records) {
    for (const removed of removedNodes) {
      if (!(removed instanceof Text) || removed.parentNode) continue
      const standIn = [...addedNodes, previousSibling, nextSibling].find(isTranslation)
      if (standIn) putInPlace(standIn, removed)
    }
  }
}

function putInPlace(standIn: Element, text: Text): void {
  standIns.set(text, standIn)
  Object.defineProperty(text, 'nodeValue', {
    configurable: true,
    get: () => text.data,
    set(value: string) {
      Reflect.deleteProperty(text, 'nodeValue')
      if (!text.parentNode) standIn.replaceWith(text)
      text.nodeValue = value
    },
  })
}
