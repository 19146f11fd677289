package encode_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"studycircle/internal/encode"
)

type inner struct {
	Text string `json:"text"`
}

func TestInvalidUTF8IsReplaced(t *testing.T) {
	t.Parallel()
	got, err := encode.Append([]byte("before"), inner{Text: "a\xffb"})
	require.NoError(t, err)
	require.Equal(t, "before{\"text\":\"a\ufffdb\"}", string(got))
}

func TestScriptIsSafeInAPage(t *testing.T) {
	t.Parallel()
	v := inner{Text: "</script><!-- & \u2028\u2029"}
	got, err := encode.Script(&v)
	require.NoError(t, err)
	require.NotRegexp(t, "[<>&\u2028\u2029]", string(got))
	var back inner
	require.NoError(t, json.NewDecoder(bytes.NewBufferString(string(got))).Decode(&back))
	require.Equal(t, v, back)
}

func TestTypesThatCannotBeEncodedAreRefused(t *testing.T) {
	t.Parallel()
	require.NoError(t, encode.Check(reflect.TypeFor[inner]()))
	require.Error(t, encode.Check(reflect.TypeFor[struct{ Ends chan int }]()))
}
