// Package audiotest gives a test a PulseAudio server of its own, and ears on its only device.
package audiotest

import (
	"bytes"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/jfreymuth/pulse"
	"github.com/jfreymuth/pulse/proto"
	"golang.org/x/sys/unix"
)

// Rate is the rate of the server's device [Hz].
const Rate = 48000

// SinkName is the name of the server's device, which plays to nobody (module-null-sink).
const SinkName = "rig_test"

// Server is a PulseAudio server without hardware, for one test.
type Server struct {
	address string
	cmd     *exec.Cmd
	log     bytes.Buffer  // to be read after ended
	ended   chan struct{} // closed when the process has ended
}

// Start starts a server with one device of a number of channels, and sets PULSE_SERVER to it. Without PulseAudio the
// test is skipped, or fails in CI.
func Start(t testing.TB, channels int) *Server {
	t.Helper()
	path, err := exec.LookPath("pulseaudio")
	if err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("pulseaudio is missing; install pulseaudio")
		}
		t.Skip("pulseaudio is missing: sound is not tested; install pulseaudio")
	}
	dir, err := os.MkdirTemp("", "rig-audio") // t.TempDir is too long for the path of a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "native")
	s := &Server{address: "unix:" + socket, ended: make(chan struct{})}
	s.cmd = exec.Command(path, "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--realtime=no", "--high-priority=no",
		// norewinds: the device renders 50 ms at once instead of 2 s
		"-L", "module-null-sink norewinds=1 sink_name="+SinkName+" format=float32le rate="+strconv.Itoa(Rate)+" channels="+strconv.Itoa(channels),
		"-L", "module-native-protocol-unix auth-anonymous=1 socket="+socket) // last: once it listens, the device is there
	s.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LANG=C", "HOME=" + dir, "XDG_RUNTIME_DIR=" + dir, "PULSE_STATE_PATH=" + dir}
	s.cmd.Stderr = &s.log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // Pdeathsig is sent when the thread that started the server ends; this one does not before it
		err := s.cmd.Start()
		if started <- err; err == nil {
			s.cmd.Wait()
			close(s.ended)
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	s.awaitSocket(t, socket)
	t.Setenv("PULSE_SERVER", s.address)
	return s
}

// awaitSocket waits until the server listens.
func (s *Server) awaitSocket(t testing.TB, socket string) {
	t.Helper()
	for {
		if conn, err := net.Dial("unix", socket); err == nil {
			conn.Close()
			return
		}
		select {
		case <-s.ended:
			t.Fatalf("pulseaudio ended: %s", s.log.String())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// Kill ends the server at once, as a crash does.
func (s *Server) Kill() {
	s.cmd.Process.Kill()
	<-s.ended
}

// Hang stops the server for the rest of the test: it answers nothing and closes nothing.
func (s *Server) Hang(t testing.TB) {
	t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := unix.Waitid(unix.P_PID, s.cmd.Process.Pid, nil, unix.WSTOPPED|unix.WNOWAIT, nil); err != nil {
		t.Fatal(err)
	}
}

// Unplug removes the device from the server.
func (s *Server) Unplug(t testing.TB) {
	t.Helper()
	client, err := pulse.NewClient(pulse.ClientServerString(s.address))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	var sink proto.GetSinkInfoReply
	if err := client.RawRequest(&proto.GetSinkInfo{SinkIndex: proto.Undefined, SinkName: SinkName}, &sink); err != nil {
		t.Fatal(err)
	}
	if err := client.RawRequest(&proto.UnloadModule{ModuleIndex: sink.ModuleIndex}, nil); err != nil {
		t.Fatal(err)
	}
}

// Record returns what the device plays in some seconds of its own time: samples of all channels, frame by frame.
func (s *Server) Record(t testing.TB, seconds float64) []float32 {
	t.Helper()
	client, err := pulse.NewClient(pulse.ClientServerString(s.address))
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	sink, err := client.SinkByID(SinkName)
	if err != nil {
		t.Fatal(err)
	}
	size := int(seconds*Rate) * len(sink.Channels())
	var heard []float32 // by the goroutine of the client until full is closed
	full := make(chan struct{})
	listen := pulse.Float32Writer(func(samples []float32) (int, error) {
		if before := len(heard); before < size {
			heard = append(heard, samples...)
			if len(heard) >= size {
				close(full)
			}
		}
		return len(samples), nil
	})
	stream, err := client.NewRecord(listen, pulse.RecordMonitor(sink), pulse.RecordChannels(sink.Channels()), pulse.RecordSampleRate(Rate),
		pulse.RecordRawOption(func(r *proto.CreateRecordStream) {
			r.NoRemap, r.NoRemix, r.AdjustLatency = true, true, true
			r.BufferFragSize = uint32(Rate / 50 * len(sink.Channels()) * 4) // 20 ms
		}))
	if err != nil {
		t.Fatal(err)
	}
	stream.Start()
	select {
	case <-full:
	case <-s.ended:
		t.Fatalf("pulseaudio ended: %s", s.log.String())
	}
	return heard[:size]
}
