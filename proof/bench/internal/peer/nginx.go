package peer

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"studycircle/proof/bench/internal/load"
	"studycircle/proof/bench/internal/proc"
)

// nginxConfig follows nginx's documentation for immutable files: precompressed, kept open, sent
// by the kernel, no log.
const nginxConfig = `%s
daemon off;
worker_processes auto;
pid %[2]s/nginx.pid;
error_log stderr;
events { worker_connections 1024; }
http {
  access_log off;
  default_type text/javascript;
  sendfile on;
  tcp_nopush on;
  gzip_static on;
  open_file_cache max=100;
  keepalive_requests 1000000000;
  client_body_temp_path %[2]s/body;
  proxy_temp_path %[2]s/proxy;
  fastcgi_temp_path %[2]s/fastcgi;
  uwsgi_temp_path %[2]s/uwsgi;
  scgi_temp_path %[2]s/scgi;
  server {
    listen %[3]s;
    root %[2]s/files;
    add_header Cache-Control "public, max-age=31536000, immutable";
    add_header Vary Accept-Encoding;
  }
}
`

// StartNginx serves one file at a path, in the gzip form of an answer.
func (t Tree) StartNginx(ctx context.Context, path string, compressed load.Answer) (s *Server, err error) {
	dir, err := os.MkdirTemp("", "bench-nginx-")
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.RemoveAll(dir))
		}
	}()
	address, err := freeAddress(ctx)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(dir, "files", filepath.FromSlash(path))
	user := ""
	if os.Geteuid() == 0 {
		user = "user root;" // otherwise its workers cannot read the folder
	}
	err = errors.Join(
		os.MkdirAll(filepath.Dir(file), 0o700),
		os.WriteFile(file+".gz", compressed.Body, 0o600),
		os.WriteFile(file, nil, 0o600), // requested only without gzip, which does not happen here
		os.WriteFile(filepath.Join(dir, "nginx.conf"), fmt.Appendf(nil, nginxConfig, user, dir, address), 0o600))
	if err != nil {
		return nil, err
	}
	p, err := proc.Start(command(ctx, "/usr/sbin/nginx", "-c", filepath.Join(dir, "nginx.conf"), "-p", dir))
	if err != nil {
		return nil, err
	}
	s = &Server{Name: "nginx", URL: "http://" + address, Program: p, Costs: []*proc.Process{p},
		stop: []func() error{func() error { return os.RemoveAll(dir) }, p.Stop}}
	return s, awaitAnswer(ctx, p, s.URL, path)
}
