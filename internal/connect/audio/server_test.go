package audio_test

import (
	"io"
	"net"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"rig.example/rig/internal/connect/audio"
	"rig.example/rig/internal/connect/audio/audiotest"
)

func TestWithoutAServer(t *testing.T) {
	t.Setenv("PULSE_SERVER", "")
	t.Setenv("PULSE_RUNTIME_PATH", "")
	t.Setenv("XDG_RUNTIME_DIR", "/nonexistent")
	_, err := audio.Sinks()
	isOneLine(t, err, "no sound server answers at /nonexistent/pulse/native (connect: no such file or directory); start PulseAudio or PipeWire (pipewire-pulse)")
	t.Setenv("PULSE_SERVER", "/nonexistent/a unix:/nonexistent/b")
	_, err = audio.Sinks()
	isOneLine(t, err, "at /nonexistent/a (connect: no such file or directory) or /nonexistent/b (connect")
	t.Setenv("PULSE_SERVER", "")
	t.Setenv("XDG_RUNTIME_DIR", "")
	_, err = audio.Sinks()
	isOneLine(t, err, "run rig without sudo, as the user of the desktop, or set PULSE_SERVER")
}

// A server that breaks the protocol neither stops the program nor makes it wait without end.
func TestAServerThatDoesNotSpeakTheProtocol(t *testing.T) {
	half := "\x00\x00\x00\x20\xff\xff\xff\xff" // of the header of a packet
	for name, tt := range map[string]struct {
		sends  string
		closes bool
		err    string
	}{
		"closes at once":          {"", true, "(lost the sound server: EOF); start"},
		"closes in a packet":      {half + strings.Repeat("\x00", 12) + "L\x00\x00\x00\x02", true, "(lost the sound server: unexpected EOF); start"},
		"claims an absurd length": {strings.Repeat("\xff", 20), false, "(lost the sound server: a packet of 4294967295 bytes: must be at most 16777216); start"},
		"says nothing":            {"", false, "no sound server answers"},
		"says half":               {half, false, "no sound server answers"},
	} {
		t.Run(name, func(t *testing.T) {
			if strings.HasPrefix(name, "says") {
				defer audio.SetLimit(50 * time.Millisecond)()
			}
			t.Setenv("PULSE_SERVER", fakeServer(t, tt.sends, tt.closes))
			_, err := audio.Sinks()
			isOneLine(t, err, tt.err)
		})
	}
	hasNoGoroutine(t)
}

// fakeServer starts a server for one client, to whom it sends a text and maybe the end. It returns its address.
func fakeServer(t *testing.T, sends string, closes bool) string {
	t.Helper()
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(t.TempDir(), "s"), Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		conn, err := listener.AcceptUnix()
		if err != nil {
			return
		}
		defer conn.Close()
		io.WriteString(conn, sends)
		if closes {
			conn.CloseWrite()
		}
		io.Copy(io.Discard, conn) // until the client closes
	}()
	return listener.Addr().String()
}

// A server that takes no data does not hold up a stream for ever, and gets no half packet.
func TestAServerThatTakesNoData(t *testing.T) {
	defer audio.SetLimit(10 * time.Millisecond)()
	line, server := net.Pipe()
	isOneLine(t, audio.WriteTo(line, make([]byte, 8)), "the sound server takes no data")
	if _, err := server.Read(make([]byte, 8)); err != io.EOF {
		t.Errorf("the server reads %v, want the end", err)
	}
}

func TestAServerThatDies(t *testing.T) {
	server := audiotest.Start(t, 2)
	stream, playing := play(t, audio.Config{Sink: only(t, 2, 1)})
	<-playing
	server.Kill()
	<-stream.Done()
	isOneLine(t, stream.Err(), "lost the sound server: ")
	if _, err := stream.Latency(); err == nil || err.Error() != stream.Err().Error() {
		t.Errorf("latency: %v, want %v", err, stream.Err())
	}
	if err := stream.Close(); err == nil || err.Error() != stream.Err().Error() {
		t.Errorf("close: %v, want %v", err, stream.Err())
	}
	hasNoGoroutine(t)
}

func TestADeviceThatIsRemoved(t *testing.T) {
	server := audiotest.Start(t, 2)
	stream, playing := play(t, audio.Config{Sink: only(t, 2, 1)})
	<-playing
	server.Unplug(t)
	<-stream.Done()
	isOneLine(t, stream.Err(), "device rig_test was removed; connect it again")
	hasNoGoroutine(t)
}

func TestAServerThatHangs(t *testing.T) {
	server := audiotest.Start(t, 2)
	stream, playing := play(t, audio.Config{Sink: only(t, 2, 1)})
	<-playing
	server.Hang(t)
	stream.AnswerWithin(50 * time.Millisecond)
	_, err := stream.Latency()
	isOneLine(t, err, "the sound server does not answer the request to measure the latency")
	<-stream.Done()
	if err := stream.Close(); err == nil {
		t.Error("Close returns no error after a server hung")
	}
	hasNoGoroutine(t)
}

func TestAStreamIsClosedWhileItsServerHangs(t *testing.T) {
	server := audiotest.Start(t, 2)
	stream, playing := play(t, audio.Config{Sink: only(t, 2, 1)})
	<-playing
	server.Hang(t)
	if err := stream.Close(); err != nil {
		t.Error(err)
	}
	if err := stream.Close(); err != nil {
		t.Errorf("second Close: %v", err)
	}
	_, err := stream.Latency()
	isOneLine(t, err, "the stream is closed")
	hasNoGoroutine(t)
}

// hasNoGoroutine checks that no goroutine of a stream or of its connection is left.
func hasNoGoroutine(t *testing.T) {
	t.Helper()
	stacks := make([]byte, 1<<20)
	for range 1000 { // one that has just closed its channel may not have returned
		text := string(stacks[:runtime.Stack(stacks, true)])
		if !strings.Contains(text, "proto.(*Client).readLoop") && !strings.Contains(text, "audio.(*Stream).run") {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("a goroutine is left:\n%s", stacks[:runtime.Stack(stacks, true)])
}
