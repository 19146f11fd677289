const pairs = [
  ['bg-paper text-ink', 'ink on paper'],
  ['bg-paper text-soft', 'soft on paper'],
  ['bg-raised text-green', 'green on raised'],
  ['bg-green text-on-green', 'on green'],
  ['bg-highlighter text-on-highlighter', 'on highlighter'],
  ['bg-raised text-red', 'red'],
  ['bg-raised text-amber', 'amber'],
  ['bg-raised text-leaf', 'leaf'],
]
const sizes = ['text-xs', 'text-sm', 'text-base', 'text-lg', 'text-xl', 'text-2xl', 'text-3xl', 'text-4xl']

/** The colours in the pairs they are used in, and the type scale. */
export function GalleryColours() {
  return (
    <section>
      <h2 className="mb-5">Colours and type</h2>
      <ul className="mb-8 flex flex-wrap gap-3">
        {pairs.map(([look, name]) => (
          <li key={name} className={`rounded-control border border-line px-4 py-3 font-semibold ${look}`}>
            {name}
          </li>
        ))}
      </ul>
      {sizes.map((size) => (
        <p key={size} className={`font-display font-bold ${size}`}>
          {size} 0123456789
        </p>
      ))}
    </section>
  )
}
