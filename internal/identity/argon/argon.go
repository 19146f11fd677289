// Package argon derives keys by argon2id as golang.org/x/crypto/argon2 does, in
// memory that is used again: there each key allocates its 19 MiB anew, and beside
// sign-ins the collector has nothing else to do. It knows no passwords and no format
// of hashes.
package argon

import (
	"encoding/binary"
	"sync"
	_ "unsafe" // for go:linkname

	_ "golang.org/x/crypto/argon2" // whose functions these are
	"golang.org/x/crypto/blake2b"
)

// block is argon2's, 1 KiB.
type block [128]uint64

const (
	modeID     = 2
	syncPoints = 4
)

// What the library does not export. Where a later one has none of these names, the
// program does not link; where they do something else, TestKeysAreTheLibrarys fails.

//go:linkname initHash golang.org/x/crypto/argon2.initHash
func initHash(password, salt, key, data []byte, time, memory, threads, keyLen uint32, mode int) [blake2b.Size + 8]byte

//go:linkname blake2bHash golang.org/x/crypto/argon2.blake2bHash
func blake2bHash(out, in []byte)

//go:linkname processBlocks golang.org/x/crypto/argon2.processBlocks
func processBlocks(blocks []block, time, memory, threads uint32, mode int)

//go:linkname extractKey golang.org/x/crypto/argon2.extractKey
func extractKey(blocks []block, memory, threads, keyLen uint32) []byte

// spare is memory of keys that are made. It is let go when nobody has used it for
// two rounds of the collector.
var spare sync.Pool // of *[]block

// IDKey derives a key of keyLen bytes as argon2.IDKey does: by so many passes over so
// many KiB of memory, in so many lanes.
func IDKey(password, salt []byte, time, memory uint32, lanes uint8, keyLen uint32) []byte {
	threads := uint32(lanes)
	h0 := initHash(password, salt, nil, nil, time, memory, threads, keyLen, modeID)
	memory = max(memory/(syncPoints*threads), 2) * syncPoints * threads
	blocks, there := spare.Get().(*[]block)
	if !there || cap(*blocks) < int(memory) {
		made := make([]block, memory)
		blocks = &made
	}
	defer spare.Put(blocks)
	in := (*blocks)[:memory]
	clear(in)
	for lane := range threads {
		binary.LittleEndian.PutUint32(h0[blake2b.Size+4:], lane)
		for i := range uint32(2) {
			binary.LittleEndian.PutUint32(h0[blake2b.Size:], i)
			var first [len(block{}) * 8]byte
			blake2bHash(first[:], h0[:])
			for n := range len(block{}) {
				in[lane*(memory/threads)+i][n] = binary.LittleEndian.Uint64(first[n*8:])
			}
		}
	}
	processBlocks(in, time, memory, threads, modeID)
	return extractKey(in, memory, threads, keyLen)
}
