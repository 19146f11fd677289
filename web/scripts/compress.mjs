import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib'

const compressible = /\.(js|css|svg|json|txt|xml|map|webmanifest)$/
const worthIt = 1024

const ways = {
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }),
  zst: (bytes) => zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } }),
  gz: (bytes) => gzipSync(bytes, { level: 9 }),
}

/** Writes a twin beside every file that compresses; fonts and pictures in binary formats do not. */
export async function compressAll(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.startsWith('.') || !compressible.test(entry.name)) continue
    const path = `${entry.parentPath}/${entry.name}`
    const bytes = readFileSync(path)
    if (bytes.length < worthIt) continue
    for (const [extension, compress] of Object.entries(ways)) {
      writeFileSync(`${path}.${extension}`, compress(bytes))
    }
  }
}
