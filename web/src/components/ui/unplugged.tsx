/** A laptop without its line, drawn here and not fetched: it is shown where nothing can be. */
export function Unplugged({ className }: { className: string }) {
  return (
    <svg aria-hidden="true" viewBox="0 0 320 240" className={className}>
      <g fill="none" stroke="#1c2130" strokeLinecap="round" strokeLinejoin="round" strokeWidth="2.5">
        <path
          fill="#f3e8cc"
          stroke="none"
          d="M304.5 122c.6 26-15.8 61.2-39.9 80s-71.5 33.7-104.6 32.8-68.6-19.4-93.7-38.2S11.2 146.2 9.1 122c-2-24.2 19.7-53.6 44.8-70.6 25.2-17 71.6-30.5 106.1-31.3s77 9.1 101 26.1c24.1 17 42.9 49.8 43.5 75.8"
        />
        <path d="M62 204q98-5 196 0" />
        <path fill="#2b3350" d="M93.4 69.7q51.4 1.2 132.3.8 3 58.1.6 95.1-54.7 2.1-131.9 0 2-58.7-1-95.9" />
        <path fill="#fff" d="M103.7 80.6q49.4 2.3 112.3-.4.5 30.5-.4 76.3-41.1 2.3-111.4.1-1.1-40.4-.5-76" />
        <path fill="#c6cbd6" d="M80 168h160l14 30H66Z" />
        <path d="M140 184h40" />
        <path stroke="#565c6b" strokeWidth="5" d="M132 108a44 40 0 0 1 56 0m-44 14a26 24 0 0 1 32 0" />
        <circle cx="160" cy="136" r="5" fill="#565c6b" stroke="none" />
        <path stroke="#c2372e" strokeWidth="6" d="m134 142 54-52" />
        <path strokeWidth="4" d="M250 182q30 2 18-48t-6-50" />
        <path fill="#ffd54a" d="M249.1 57q9 1 24.3 2.1-1.2 7.8-1.7 22.2-14.8-2-24.5-2.6.6-12.8 2-21.7" />
        <path strokeWidth="4" d="m256.7 57.6 1.3-12m8.6 13 1.3-12" />
        <path fill="#fff" d="M40 126q14-30 34-8 8-4 14 0v30H48q-20-4-8-22" />
      </g>
    </svg>
  )
}
