package periodic

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

// logged returns what f logs.
func logged(t *testing.T, f func()) string {
	t.Helper()
	var out bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, nil)))
	defer slog.SetDefault(before)
	f()
	return out.String()
}

func TestAJobGoesOnAfterFailuresAndPanics(t *testing.T) {
	text := logged(t, func() {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			runs, began := 0, time.Now()
			job := Job{Name: "sweeping", Every: time.Minute, Timeout: time.Second, Meaning: "dust stays", Run: func(ctx context.Context) error {
				switch runs++; runs {
				case 1:
					return errors.New("no broom")
				case 2:
					panic("broom broken")
				case 3:
					<-ctx.Done()
					return ctx.Err()
				}
				stop()
				return errors.New("nothing is logged of a run that is stopped")
			}}
			job.Tick(ctx)
			require.Equal(t, 4, runs)
			require.Equal(t, 3*time.Minute, time.Since(began))
		})
	})
	for _, part := range []string{
		`msg="background job failed; will retry" job=sweeping meaning="dust stays" error="no broom"`, `msg="panic in a background job" job=sweeping panic="broom broken"`,
		`error="context deadline exceeded"`, "periodic_test.go",
	} {
		require.Contains(t, text, part)
	}
	require.NotContains(t, text, "is stopped")
}

// A job that fails often fails in one line a minute, and at once for another reason.
func TestRepeatedFailuresAreLoggedOnceAMinute(t *testing.T) {
	text := logged(t, func() {
		synctest.Test(t, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			runs := 0
			job := Job{Name: "sweeping", Every: 10 * time.Second, Timeout: time.Second, Run: func(context.Context) error {
				switch runs++; {
				case runs < 9:
					return errors.New("no broom")
				case runs == 9:
					return errors.New("broom broken")
				case runs == 10:
					return nil
				case runs == 11:
					return errors.New("broom broken")
				}
				stop()
				return nil
			}}
			job.Tick(ctx)
		})
	})
	require.Equal(t, 2, strings.Count(text, "no broom"))
	require.Equal(t, 2, strings.Count(text, "broom broken"), "it had worked between")
}

func TestARunThatIgnoresItsContextIsReported(t *testing.T) {
	text := logged(t, func() {
		synctest.Test(t, func(t *testing.T) {
			release := make(chan struct{})
			time.AfterFunc(time.Hour, func() { close(release) })
			job := Job{Name: "sweeping", Every: time.Minute, Timeout: time.Second, Meaning: "dust stays", Run: func(context.Context) error {
				<-release
				return nil
			}}
			require.NoError(t, job.Once(t.Context()))
		})
	})
	require.Contains(t, text, `msg="background job does not end" job=sweeping timeout=1s meaning="dust stays"`)
}
