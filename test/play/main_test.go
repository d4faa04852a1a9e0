package main

import (
	"context"
	"net"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/games/gamestest"
)

// What is played arrives where rig listens.
func TestPlay(t *testing.T) {
	conn, err := net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 6776})
	if err != nil {
		t.Skip(err)
	}
	defer conn.Close()
	ctx, end := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- play(ctx, "rbr", gamestest.Network{Jitter: 1e-3, Loss: 0.1}) }()
	b := make([]byte, 2048)
	for range 3 {
		if n, err := conn.Read(b); err != nil || n != 664 {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := play(context.Background(), "simapi", gamestest.Network{}); err == nil || !strings.Contains(err.Error(), "no acceleration") {
		t.Errorf("simapi: %v", err)
	}
}
