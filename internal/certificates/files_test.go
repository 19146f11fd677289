package certificates

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// pair returns a self-signed certificate and its key as PEM.
func pair(t *testing.T, serial int64, names ...string) (chain, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: names, NotAfter: time.Now().Add(time.Hour)}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	require.NoError(t, err)
	encoded, err := x509.MarshalPKCS8PrivateKey(private)
	require.NoError(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encoded})
}

func TestChangedFilesAreUsed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := &files{chain: filepath.Join(dir, "chain.pem"), key: filepath.Join(dir, "key.pem")}
	written := time.Now()
	write := func(chain, key []byte) {
		t.Helper()
		written = written.Add(time.Minute) // two writes within one tick of the file system's clock
		for name, text := range map[string][]byte{f.chain: chain, f.key: key} {
			require.NoError(t, os.WriteFile(name, text, 0o600))
			require.NoError(t, os.Chtimes(name, written, written))
		}
	}
	serial := func(broken bool) int64 {
		t.Helper()
		got, err := f.read()
		require.Equal(t, broken, err != nil)
		return got.Leaf.SerialNumber.Int64()
	}
	_, err := FromFiles(f.chain, f.key)
	require.ErrorContains(t, err, "read the certificate")
	chain1, key1 := pair(t, 1)
	chain2, key2 := pair(t, 2)
	write(chain1, key1)
	_, err = FromFiles(f.chain, f.key)
	require.NoError(t, err)
	require.EqualValues(t, 1, serial(false))
	write(chain2, key1) // halfway
	require.EqualValues(t, 1, serial(true))
	write(chain2, key2)
	require.EqualValues(t, 2, serial(false))
	require.NoError(t, os.Remove(f.key))
	require.EqualValues(t, 2, serial(true))
	write(chain1, key1)
	require.EqualValues(t, 1, serial(false))
}
