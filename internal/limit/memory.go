package limit

import (
	"sync"
	"time"
)

// maxKeys bounds a Memory: some 20 MB when every key has used all of a window
// of 100. Past it the least useful keys are forgotten, which lets an attacker
// with as many addresses try more often, and nobody else.
const maxKeys = 20_000

// Memory counts on this node alone. It is safe for concurrent use.
type Memory struct {
	window Window
	mu     sync.Mutex
	logs   map[string]Log
}

// NewMemory counts in w.
func NewMemory(w Window) *Memory { return &Memory{window: w, logs: map[string]Log{}} }

// Check is nil where key has room for one more; it counts nothing.
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

// Spend counts one use, or refuses it and counts nothing.
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

// makeRoom forgets what counts for nothing, and then anything, down to nine tenths.
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
