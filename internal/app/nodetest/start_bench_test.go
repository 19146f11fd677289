package nodetest

import "testing"

// BenchmarkStart starts and ends nodes on databases of the present schema:
//
//	go test ./internal/app/nodetest -run '^$' -bench Start -benchtime 20x
func BenchmarkStart(b *testing.B) {
	for name, made := range engines {
		b.Run(name, func(b *testing.B) {
			w := made(b)
			for b.Loop() {
				_, stop := w.startUntil(b)
				stop()
			}
		})
	}
}
