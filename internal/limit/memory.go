package limit

import (
	"sync"
	"time"
)

// maxKeys bounds a Memory to some 20 MB when every key has used all of a window of 100.
// Beyond it the least useful keys are dropped, which only helps an attacker with as many
// addresses.
const maxKeys = 20_000

// Memory counts uses on this node only. It is safe for concurrent use.
type Memory struct {
	window Window
	mu     sync.Mutex
	logs   map[string]Log
}

// NewMemory returns a Memory for w.
func NewMemory(w Window) *Memory { return &Memory{window: w, logs: map[string]Log{}} }

// Check returns nil if key may use the window once more; it counts nothing.
func (m *Memory) Check(key string, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.check(key, now)
}

func (m *Memory) check(key string, now time.Time) error {
	if wait := m.window.Wait(m.logs[key], now); wait > 0 {
		return m.window.Refuse(wait)
	}
	return nil
}

// Spend counts one use, or returns an error and counts nothing.
func (m *Memory) Spend(key string, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.check(key, now); err != nil {
		return err
	}
	if _, known := m.logs[key]; !known && len(m.logs) >= maxKeys {
		m.makeRoom(now)
	}
	m.logs[key] = m.window.With(m.logs[key], now)
	return nil
}

// makeRoom drops expired keys, and then any others, down to nine tenths.
func (m *Memory) makeRoom(now time.Time) {
	for key, l := range m.logs {
		if len(m.window.recent(l, now)) == 0 {
			delete(m.logs, key)
		}
	}
	for key := range m.logs {
		if len(m.logs) < maxKeys*9/10 {
			return
		}
		delete(m.logs, key)
	}
}
