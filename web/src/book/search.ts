import MiniSearch, { type SearchResult } from 'minisearch'

/** A section of a page. `id` is its address. */
interface Entry {
  id: string
  title: string
  heading: string
  text: string
}

const most = 8

/** Pages that tell how the product came to be: what it is now comes first. */
const history = /^\/docs\/(?:decisions|changelog|departures)/

/** Makes the search of the documentation's pages work: it reads the index when the reader first comes to the field. */
export function startSearch(form: HTMLFormElement): void {
  const input = form.querySelector('input')
  const status = form.querySelector('[role=status]')
  const list = form.querySelector('ul')
  const address = form.dataset.index
  if (!input || !status || !list || !address) throw new Error('The search form is not complete')

  let loading: Promise<MiniSearch<Entry>> | undefined
  const index = () => {
    loading ??= load(address).catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }

  async function show(words: string) {
    if (!words.trim()) return close()
    try {
      const found = (await index()).search(words)
      if (input?.value !== words) return
      draw(found.slice(0, most))
      say(found.length === 0 ? `Nothing found for ‘${words}’` : count(found.length))
    } catch {
      close()
      say('The search could not be loaded. Please try again.')
    }
  }

  function draw(found: SearchResult[]) {
    list?.replaceChildren(...found.map(item))
    if (list) list.hidden = found.length === 0
  }

  function say(text: string) {
    if (!status) return
    status.textContent = text
    status.classList.toggle('unseen', !text.startsWith('Nothing') && !text.startsWith('The search'))
  }

  /** Hides the results: removing the one that has the focus would lose it while it moves on. */
  function close() {
    if (list) list.hidden = true
    say('')
  }

  const links = () => (list.hidden ? [] : [...list.querySelectorAll('a')])

  /** Moves the focus among the results; above the first one is the field. */
  function move(by: number) {
    const all = links()
    const at = all.findIndex((link) => link === document.activeElement) + by
    if (at < 0) input?.focus()
    else all[Math.min(at, all.length - 1)]?.focus()
  }

  form.hidden = false
  input.addEventListener('focus', () => {
    if (input.value) void show(input.value)
    else index().catch(() => undefined) // show says so
  })
  input.addEventListener('input', () => void show(input.value))
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    links()[0]?.click()
  })
  form.addEventListener('keydown', (event) => {
    // Safari reports the key that ends a composition with the input method's code.
    if (event.isComposing || event.keyCode === 229) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      move(event.key === 'ArrowDown' ? 1 : -1)
    } else if (event.key === 'Escape') {
      event.preventDefault()
      input.value = ''
      close()
      input.focus()
    }
  })
  form.addEventListener('focusout', ({ relatedTarget }) => {
    if (!(relatedTarget instanceof Node && form.contains(relatedTarget))) close()
  })
  // Safari does not focus a pressed link, so the list would close before the click.
  list.addEventListener('mousedown', (event) => event.preventDefault())
  list.addEventListener('click', (event) => {
    if (event.target instanceof Element && event.target.closest('a')) close()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === input) return
    event.preventDefault()
    input.focus()
  })
}

async function load(address: string): Promise<MiniSearch<Entry>> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(`The index answers ${response.status}`)
  const index = new MiniSearch<Entry>({
    fields: ['title', 'heading', 'text'],
    storeFields: ['title', 'heading', 'text'],
    processTerm: plain,
    searchOptions: {
      prefix: true,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
      combineWith: 'AND',
      boost: { title: 4, heading: 3 },
      boostDocument: (id: string) => (history.test(id) ? 0.3 : 1),
    },
  })
  index.addAll((await response.json()) as Entry[])
  return index
}

/** A word without case and accents. */
function plain(word: string): string {
  return word.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()
}

const count = (n: number) => (n === 1 ? '1 section found' : `${n} sections found`)

function item(result: SearchResult): HTMLLIElement {
  const { id, title, heading, text } = result as unknown as Entry
  const link = document.createElement('a')
  link.href = id
  link.append(
    element('b', heading || title),
    element('span', heading ? title : ''),
    element('small', around(text, result.terms)),
  )
  const row = document.createElement('li')
  row.append(link)
  return row
}

function element(name: string, text: string): HTMLElement {
  const made = document.createElement(name)
  made.textContent = text
  return made
}

/** The words of a text around the first term in it. */
function around(text: string, terms: string[]): string {
  const words = text.split(' ')
  const at = words.findIndex((word) => terms.some((term) => plain(word).includes(term)))
  const from = Math.max(0, at - 6)
  return `${from > 0 ? '… ' : ''}${words.slice(from, from + 18).join(' ')}${words.length > from + 18 ? ' …' : ''}`
}

const form = document.querySelector<HTMLFormElement>('form#search')
if (form) startSearch(form)
