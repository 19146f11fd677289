package proc

import (
	"errors"
	"os"
	"os/exec"
	"testing"
	"time"
)

func TestParseStat(t *testing.T) {
	const line = "42 (a) b (c) S 7 42 42 0 -1 4194560 1 2 3 4 50 60 7 8 20 0 1 0 99 1 1"
	got, ok := parseStat(42, line)
	if want := (stat{pid: 42, parent: 7, ended: 15}); !ok || got != want {
		t.Errorf("got %+v %v, want %+v", got, ok, want)
	}
	if _, ok := parseStat(42, "42 (short) S 7"); ok {
		t.Error("short line: parsed")
	}
}

func TestCPUCountsChildren(t *testing.T) {
	input, release, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// The child reads descriptor 3, because a shell's background job has no standard input.
	cmd := exec.Command("sh", "-c", "exec 3<&0; sh -c 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo counted; read x <&3' & wait")
	cmd.Stdin = input
	p, err := Start(cmd)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Await(t.Context(), "counted"); err != nil {
		t.Fatal(err)
	}
	if got := p.CPU(); got < 5*time.Millisecond {
		t.Errorf("200,000 iterations in a child cost %v", got)
	}
	if err := errors.Join(release.Close(), input.Close()); err != nil {
		t.Fatal(err)
	}
	if err := p.Stop(); err != nil {
		t.Fatal(err)
	}
}

func TestMemory(t *testing.T) {
	if got := rssAnon(os.Getpid()); got < 1<<20 || got > 1<<30 {
		t.Errorf("this test uses %d bytes", got)
	}
}

func TestThisMachine(t *testing.T) {
	m := ThisMachine()
	if m.CPU == "" || m.Cores == 0 || m.Memory == 0 || m.Kernel == "" || m.Go == "" {
		t.Errorf("fields are missing: %+v", m)
	}
}
