package proc

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// Machine describes the hardware and software on which figures depend.
type Machine struct {
	CPU    string `json:"cpu"`
	Cores  int    `json:"cores"`
	Memory int64  `json:"memoryBytes"`
	Kernel string `json:"kernel"`
	Go     string `json:"go"`
}

// ThisMachine describes this machine.
func ThisMachine() Machine {
	return Machine{
		CPU: field("/proc/cpuinfo", "model name"), Cores: runtime.NumCPU(), Memory: memory(),
		Kernel: read("/proc/sys/kernel/osrelease"), Go: runtime.Version(),
	}
}

func memory() int64 {
	kib, _ := strconv.ParseInt(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"), 10, 64)
	return kib << 10
}

// LoadAverage returns the average number of tasks that ran or waited in the last minute.
func LoadAverage() float64 {
	first, _, _ := strings.Cut(read("/proc/loadavg"), " ")
	load, _ := strconv.ParseFloat(first, 64)
	return load
}

// Stolen returns a function that reports the share of processor time since then that the
// machine's host gave to others.
func Stolen() (share func() float64) {
	stolen, wanted := times()
	return func() float64 {
		laterStolen, laterWanted := times()
		return (laterStolen - stolen) / max(1, laterWanted-wanted)
	}
}

// times returns stolen and total wanted time since boot, in ticks, from the first line of
// /proc/stat (proc(5)).
func times() (stolen, wanted float64) {
	const idle, waiting, steal = 4, 5, 8 // columns; those after them are included in others
	line, _, _ := strings.Cut(read("/proc/stat"), "\n")
	for i, column := range strings.Fields(line) {
		ticks, err := strconv.ParseFloat(column, 64)
		if err != nil || i == idle || i == waiting || i > steal {
			continue
		}
		wanted += ticks
		if i == steal {
			stolen = ticks
		}
	}
	return stolen, wanted
}

// field returns the first value of a name in a file of "name: value" lines.
func field(file, name string) string {
	for line := range strings.Lines(read(file)) {
		if key, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func read(file string) string {
	text, _ := os.ReadFile(file) // unreadable values stay empty
	return strings.TrimSpace(string(text))
}

// SyncRate returns how many times per second a block of 8 KiB (a page of PostgreSQL, two of
// SQLite) can be overwritten and made durable with fdatasync in dir. The file has its full
// length beforehand, like a reused write-ahead log.
func SyncRate(dir string, d time.Duration) (rate float64, err error) {
	const block, blocks = 8 << 10, 512
	name := filepath.Join(dir, "fdatasync")
	file, err := os.Create(name)
	if err != nil {
		return 0, err
	}
	defer func() {
		_ = file.Close() // its content does not matter
		_ = os.Remove(name)
	}()
	if _, err := file.Write(make([]byte, block*blocks)); err != nil {
		return 0, err
	}
	if err := file.Sync(); err != nil {
		return 0, err
	}
	content := make([]byte, block)
	start, n := time.Now(), 0
	for ; time.Since(start) < d; n++ {
		content[0]++
		if _, err := file.WriteAt(content, int64(n%blocks)*block); err != nil {
			return 0, err
		}
		if err := fdatasync(file); err != nil {
			return 0, err
		}
	}
	return float64(n) / time.Since(start).Seconds(), nil
}
