// Command play sends what a game sends, for trials of `rig follow` without the game: packets to this machine, or shared
// memory. Its car weaves over hills until it is interrupted.
//
//	go run ./test/play [-loss 0.02] [-jitter 4ms] SOURCE
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"os/signal"
	"time"

	"rig.example/rig/internal/connect/games"
	"rig.example/rig/internal/connect/games/gamestest"
)

func main() {
	jitter := flag.Duration("jitter", 0, "largest delay of a packet")
	loss := flag.Float64("loss", 0, "share of the packets that are lost")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := play(ctx, flag.Arg(0), gamestest.Network{Jitter: jitter.Seconds(), Loss: *loss}); err != nil {
		fmt.Fprintln(os.Stderr, "play:", err)
		os.Exit(1)
	}
}

// play plays a source until ctx ends.
func play(ctx context.Context, name string, network gamestest.Network) error {
	source, err := games.Find(name)
	if err != nil {
		return err
	}
	layout, ok := gamestest.Of(name)
	if !ok {
		return fmt.Errorf("%s: no layout to play", name)
	}
	var conn net.Conn
	if source.Port != 0 {
		if conn, err = net.Dial("udp", fmt.Sprintf("127.0.0.1:%d", source.Port)); err != nil {
			return err
		}
		defer conn.Close()
	}
	var drive gamestest.Drive
	interval := 1 / layout.Rate
	tick := time.NewTicker(time.Duration(interval * float64(time.Second)))
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		drive.Advance(interval)
		drive.N++
		for _, delay := range network.Delays(interval) {
			time.Sleep(time.Duration(delay * float64(time.Second)))
			if conn != nil {
				_, _ = conn.Write(layout.Packet(&drive.Car)) // nobody may listen yet
			} else if err := gamestest.Write("/dev/shm", layout.Files(&drive.Car)); err != nil {
				return err
			}
		}
	}
}
