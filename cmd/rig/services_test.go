package main

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/test/level"
)

// outputsOf returns the process ID of the outputs of a rig, or 0.
func outputsOf(rig int) int { return childOf(rig, "outputs") }

// childOf returns the process ID of a child of a rig that runs a command of rig, or 0.
func childOf(rig int, command string) int {
	list, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", rig))
	for _, path := range list {
		children, _ := os.ReadFile(path)
		for child := range strings.FieldsSeq(string(children)) {
			args, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if pid, err := strconv.Atoi(child); err == nil && bytes.Contains(args, []byte("\x00"+command+"\x00")) {
				return pid
			}
		}
	}
	return 0
}

// outputDrive is a drive of the demo with a web page and telemetry.
type outputDrive struct {
	t        *testing.T
	url      string
	packets  *net.UDPConn
	token    string
	page     *framepage.Page
	errs     bytes.Buffer
	rigPID   int
	socket   string
	finished func() error // ends the drive by SIGINT
}

func startOutputDrive(t *testing.T) *outputDrive {
	t.Helper()
	d := &outputDrive{t: t, socket: socketPath(t)}
	var err error
	if d.packets, err = net.ListenUDP("udp", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.packets.Close() })
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	d.url = "http://" + address
	home := t.TempDir()
	conf := filepath.Join(home, "rig.toml")
	text := fmt.Sprintf("[web]\nlisten = %q\n[[telemetry.out]]\nformat = \"json\"\nto = %q\n", address, d.packets.LocalAddr())
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := rigProcess("run", "--demo", "--headless", "--config", conf, "--page", d.socket)
	cmd.Env = append(cmd.Env, "XDG_CONFIG_HOME="+home)
	cmd.Stderr = &d.errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	d.rigPID = cmd.Process.Pid
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	d.finished = func() error {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			return err
		}
		return cmd.Wait()
	}
	await(t, "the page", func() bool { return d.get("/state") == http.StatusOK })
	token, err := os.ReadFile(filepath.Join(home, "rig", "web-token"))
	if err != nil {
		t.Fatal(err)
	}
	d.token = strings.TrimSpace(string(token))
	if d.page, err = framepage.Open(d.socket); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.page.Close() })
	return d
}

// get returns the status of a request, or 0 without an answer.
func (d *outputDrive) get(path string) int {
	response, err := http.Get(d.url + path)
	if err != nil {
		return 0
	}
	response.Body.Close()
	return response.StatusCode
}

func (d *outputDrive) post(path, body string) int {
	d.t.Helper()
	request, err := http.NewRequest(http.MethodPost, d.url+path, strings.NewReader(body))
	if err != nil {
		d.t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer "+d.token)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		d.t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

func (d *outputDrive) frame() (f frame.Frame) {
	d.page.Read(&f)
	return f
}

// A drive has telemetry and a page from a process of their own. If that is killed, the drive goes on and rig starts it again; its orders
// reach the drive before and after.
func TestADriveOutlivesItsOutputs(t *testing.T) {
	level.SkipIfQuick(t)
	t.Parallel()
	d := startOutputDrive(t)
	packet := make([]byte, 1<<16)
	if n, err := d.packets.Read(packet); err != nil || !strings.Contains(string(packet[:n]), `"car":"coupe"`) {
		t.Errorf("telemetry: %v, %s", err, packet[:n])
	}
	await(t, "the drive", func() bool { return guard.State(d.frame().State) == guard.Driving })
	for i, share := range []float64{0.5, 0.75} {
		if i > 0 {
			killed := outputsOf(d.rigPID)
			if killed == 0 {
				t.Fatal("no process of outputs")
			}
			tick := d.frame().Tick
			if err := syscall.Kill(killed, syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			await(t, "another process of outputs", func() bool { pid := outputsOf(d.rigPID); return pid != 0 && pid != killed })
			await(t, "the page again", func() bool { return d.get("/state") == http.StatusOK })
			if f := d.frame(); guard.State(f.State) != guard.Driving || f.Tick <= tick {
				t.Errorf("the drive is %v at tick %d, before the kill at %d", guard.State(f.State), f.Tick, tick)
			}
		}
		if status := d.post("/tune", fmt.Sprintf(`{"factor":"motion_sway","share":%g}`, share)); status != http.StatusNoContent {
			t.Errorf("tune: status %d", status)
		}
		await(t, "the lower gain", func() bool { return d.frame().Motion.Tuning[2] == share })
	}
	if status, out, errs := rigCommand(t, "motion", "tune", "limit_travel", "0.5", "--page", d.socket); status != exitDone || !strings.HasPrefix(out, "limit_travel 0.5; ") {
		t.Errorf("motion tune: status %d, %q, %s", status, out, errs)
	}
	if status := d.post("/stop", ""); status != http.StatusNoContent {
		t.Errorf("stop: status %d", status)
	}
	await(t, "the stop", func() bool { return guard.State(d.frame().State) == guard.Stopped })
	if status, _, errs := rigCommand(t, "confirm", "--page", d.socket); status != exitDone {
		t.Errorf("confirm: status %d, %s", status, errs)
	}
	began := time.Now()
	if err := d.finished(); err != nil {
		t.Errorf("after %v: %v\n%s", time.Since(began), err, d.errs.String())
	}
	if d.get("/state") != 0 || outputsOf(d.rigPID) != 0 {
		t.Error("the outputs go on after the drive")
	}
}
