/** How a translator puts its element around a text, or in its place. */
export type Translator = 'wraps' | 'replaces' | 'inserts and removes'

/** Does to each text what browsers' translators do, now and whenever one comes or changes, until it is stopped. */
export function translate(how: Translator): () => void {
  const observer = new MutationObserver(() => all())
  function all() {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found) {
      if (text.data.trim() && !text.parentElement?.closest('font, script, style, textarea, title')) one(text)
    }
  }
  function one(text: Text) {
    const outer = document.createElement('font')
    const inner = outer.appendChild(document.createElement('font'))
    if (how === 'replaces') {
      inner.textContent = text.data
      text.replaceWith(outer)
    } else if (how === 'inserts and removes') {
      inner.textContent = text.data
      text.before(outer)
      text.remove()
    } else {
      text.replaceWith(outer)
      inner.append(text)
    }
  }
  all()
  observer.observe(document.body, { childList: true, characterData: true, subtree: true })
  return () => observer.disconnect()
}
