package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// Addresses of the two namespaces. Clients use any of clientNetwork.
const (
	serverAddress = "10.253.77.2:8080"
	clientGateway = "10.253.77.1"
	clientNetwork = "10.253.78.0/24"
	silentAddress = clientGateway + ":9443"
)

// insideVariable names the server's namespace for the drill that runs in the clients'
// namespace.
const insideVariable = "STUDYCIRCLE_DRILL_NAMESPACE"

// betweenNamespaces runs this drill again inside two new namespaces.
func betweenNamespaces(ctx context.Context) (err error) {
	name := fmt.Sprint("studycircle-", os.Getpid())
	server, clients := name+"-server", name+"-clients"
	defer func() {
		for _, n := range []string{server, clients} {
			err = errors.Join(err, run(context.WithoutCancel(ctx), nil, "ip", "netns", "delete", n))
		}
	}()
	for _, command := range [][]string{
		{"ip", "netns", "add", server}, {"ip", "netns", "add", clients},
		{"ip", "link", "add", "drill0", "netns", clients, "type", "veth", "peer", "name", "drill1", "netns", server},
		{"ip", "-n", clients, "address", "add", clientGateway + "/30", "dev", "drill0"},
		{"ip", "-n", server, "address", "add", "10.253.77.2/30", "dev", "drill1"},
		{"ip", "-n", clients, "link", "set", "lo", "up"}, {"ip", "-n", server, "link", "set", "lo", "up"},
		{"ip", "-n", clients, "link", "set", "drill0", "up"}, {"ip", "-n", server, "link", "set", "drill1", "up"},
		{"ip", "-n", clients, "route", "add", "local", clientNetwork, "dev", "lo"},
		{"ip", "-n", server, "route", "add", clientNetwork, "via", clientGateway},
		{
			"ip", "netns", "exec", server, "sysctl", "-qw", "net.ipv4.tcp_wmem=4096 16384 65536", "net.core.somaxconn=8192",
			"net.ipv4.tcp_max_syn_backlog=8192",
		},
		{"ip", "netns", "exec", clients, "sysctl", "-qw", "net.ipv4.ip_local_port_range=10000 65000"},
	} {
		if err := run(ctx, nil, command[0], command[1:]...); err != nil {
			return fmt.Errorf("%v, which needs root and iproute2: %w", command, err)
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, "ip", append([]string{"netns", "exec", clients, "nice", "-n", honestNice, self}, os.Args[1:]...)...) //nolint:gosec // this program
	cmd.Env = append(os.Environ(), insideVariable+"="+server)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = patience
	return cmd.Run()
}

// from returns a dialer with the nth client's address.
func from(n int) *net.Dialer {
	return &net.Dialer{Timeout: 5 * time.Second, LocalAddr: &net.TCPAddr{IP: net.IPv4(10, 253, 78, byte(1+n%250))}} //nolint:gosec // below 256
}

// deaf is from with a minimal receive buffer.
func deaf(n int) *net.Dialer {
	d := from(n)
	d.Control = func(_, _ string, c syscall.RawConn) error {
		var set error
		err := c.Control(
			func(fd uintptr) { set = syscall.SetsockoptInt(int(fd), syscall.SOL_SOCKET, syscall.SO_RCVBUF, 4<<10) },
		)
		return errors.Join(err, set)
	}
	return d
}
