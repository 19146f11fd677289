/** A laptop without its line, drawn here and not fetched: it is shown where nothing can be. */
export function Unplugged({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 320 240" className={className}>
      <g fill="none" stroke="#1c2130" strokeLinecap="round" strokeLinejoin="round" strokeWidth="2.5">
        <path
          fill="#f3e8cc"
          stroke="none"
          d="M304 122c1 26-16 61-40 80s-72 34-105 33-69-19-94-38S11 146 9 122c-2-24 20-54 45-71 25-17 72-30 106-31s77 9 101 26c24 17 43 50 44 76"
        />
        <path d="M62 204q98-5 196 0" />
        <path fill="#2b3350" d="M93 70q51 1 132 1 3 58 1 95-55 2-132 0 2-59-1-96" />
        <path fill="#fff" d="M104 81q49 2 112 0 0 30 0 76-41 2-111 0-1-40 0-76" />
        <path fill="#c6cbd6" d="M80 168h160l14 30H66Z" />
        <path stroke="#565c6b" strokeWidth="5" d="M132 108a44 40 0 0 1 56 0m-44 14a26 24 0 0 1 32 0" />
        <circle cx="160" cy="136" r="5" fill="#565c6b" stroke="none" />
        <path stroke="#c2372e" strokeWidth="6" d="m134 142 54-52" />
        <path strokeWidth="4" d="M250 182q30 2 18-48t-6-50" />
        <path fill="#ffd54a" d="M249 57q9 1 24 2-1 8-2 22-15-2-24-3 1-13 2-22" />
      </g>
    </svg>
  )
}
