package systemd

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestNotify(t *testing.T) {
	socket := filepath.Join(t.TempDir(), "notify")
	manager, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer manager.Close()
	t.Setenv("NOTIFY_SOCKET", socket)
	tests := []struct {
		name string
		send func() error
		want string
	}{
		{"ready", Ready, "READY=1"},
		{"alive", Alive, "WATCHDOG=1"},
		{"stopping", Stopping, "STOPPING=1"},
		{"status", func() error { return Status("driving, 1000 ticks/s") }, "STATUS=driving, 1000 ticks/s"},
		{"a line break starts nothing new", func() error { return Status("a\nREADY=1") }, "STATUS=a READY=1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if err := tt.send(); err != nil {
				t.Fatal(err)
			}
			buf := make([]byte, 256)
			manager.SetReadDeadline(time.Now().Add(time.Minute))
			n, err := manager.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			if got := string(buf[:n]); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNotifyWithoutServiceManagerDoesNothing(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", "")
	if err := Ready(); err != nil {
		t.Error(err)
	}
}

func TestNotifyReportsAMissingManager(t *testing.T) {
	t.Setenv("NOTIFY_SOCKET", filepath.Join(t.TempDir(), "gone"))
	if err := Alive(); err == nil || !strings.HasPrefix(err.Error(), "systemd: notify: ") {
		t.Errorf("got %v", err)
	}
}

// The units are checked with a program that exists, for rig need not be installed.
func TestServicesAreValid(t *testing.T) {
	tool := need(t, "systemd-analyze")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for name, flag := range map[string]string{"rig.service": "--system", "rig-user.service": "--user"} {
		unit := filepath.Join(t.TempDir(), name)
		text := strings.ReplaceAll(content(t, name), "/usr/local/bin/rig", program)
		if text == content(t, name) {
			t.Fatalf("%s does not start /usr/local/bin/rig", name)
		}
		if err := os.WriteFile(unit, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		verify := exec.Command(tool, flag, "verify", "--man=no", unit)
		verify.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
		out, err := verify.CombinedOutput()
		if err != nil || strings.Contains(string(out), unit+":") {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// A login, such as that after a power cut, must not home a platform.
func TestTheUnitOfASessionCannotBeEnabled(t *testing.T) {
	if strings.Contains(content(t, "rig-user.service"), "\n[Install]") {
		t.Error("rig-user.service has a section [Install]")
	}
}

// What the design asks of the unit.
func TestServiceKeepsItsPromises(t *testing.T) {
	lines := map[string]bool{}
	for line := range strings.Lines(content(t, "rig.service")) {
		lines[strings.TrimSpace(line)] = true
	}
	for _, want := range []string{
		"Type=notify", "WatchdogSec=2s", "User=rig", "KillSignal=SIGINT", "NoNewPrivileges=yes",
		"ExecStartPre=-+/usr/local/bin/rig timers", // as root; where it fails the journal says so, and the rig starts
		"Restart=no", "TimeoutStopSec=120s", "PrivateNetwork=yes", "RestrictAddressFamilies=AF_UNIX", "LimitRTPRIO=60", "RuntimeDirectory=rig", "RuntimeDirectoryMode=0750", "LimitMEMLOCK=infinity", "RestrictRealtime=no",
		"DeviceAllow=char-input rw", "DeviceAllow=/dev/cpu_dma_latency rw",
	} {
		if !lines[want] {
			t.Errorf("the unit lacks %s", want)
		}
	}
}

// The filter must leave the calls that make a loop real-time.
func TestServiceAllowsRealTimeCalls(t *testing.T) {
	out, err := exec.Command(need(t, "systemd-analyze"), "syscall-filter").Output()
	if err != nil {
		t.Skipf("systemd-analyze syscall-filter: %v", err)
	}
	sets := map[string][]string{}
	set := ""
	for line := range strings.Lines(string(out)) {
		word := strings.TrimSpace(line)
		if strings.HasPrefix(line, "@") {
			set = word
		} else if word != "" && !strings.HasPrefix(word, "#") {
			sets[set] = append(sets[set], word)
		}
	}
	allowed := filter(sets, content(t, "rig.service"))
	for _, call := range []string{
		"sched_setattr", "sched_setscheduler", "sched_setaffinity", "mlockall", "clock_nanosleep", "ioctl", "mmap", "flock", "memfd_create",
		"fallocate", "sendmsg", "socketpair", "execve", "pidfd_open", "inotify_add_watch", "prctl", "prlimit64", "madvise",
	} {
		if !allowed[call] {
			t.Errorf("the unit forbids %s", call)
		}
	}
	for _, call := range []string{"setuid", "chown", "mount", "bpf", "ptrace", "clock_settime", "setpriority", "reboot"} {
		if allowed[call] {
			t.Errorf("the unit allows %s", call)
		}
	}
}

// filter returns the system calls that a unit's lines of SystemCallFilter allow: the first line is a list of calls, later
// ones add to it or, after a ~, take from it.
func filter(sets map[string][]string, unit string) map[string]bool {
	allowed := map[string]bool{}
	for line := range strings.Lines(unit) {
		words, ok := strings.CutPrefix(strings.TrimSpace(line), "SystemCallFilter=")
		if !ok {
			continue
		}
		words, less := strings.CutPrefix(words, "~")
		named := map[string]bool{}
		for word := range strings.FieldsSeq(words) {
			if strings.HasPrefix(word, "@") {
				expand(sets, word, named)
			} else {
				named[word] = true
			}
		}
		for call := range named {
			if allowed[call] = !less; less {
				delete(allowed, call)
			}
		}
	}
	return allowed
}

func expand(sets map[string][]string, set string, into map[string]bool) {
	for _, word := range sets[set] {
		if strings.HasPrefix(word, "@") {
			expand(sets, word, into)
		} else {
			into[word] = true
		}
	}
}

func TestUsersAreValid(t *testing.T) {
	tool := need(t, "systemd-sysusers")
	root := t.TempDir()
	file := filepath.Join(root, "rig.conf")
	if err := os.WriteFile(file, []byte(content(t, "rig.sysusers")), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "--root="+root, "--dry-run", file).CombinedOutput()
	if err != nil && strings.Contains(string(out), "dry-run") {
		out, err = exec.Command(tool, "--root="+root, file).CombinedOutput() // as old ones have it
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestRulesAreValid(t *testing.T) {
	tool := need(t, "udevadm")
	file := filepath.Join(t.TempDir(), "70-rig.rules")
	if err := os.WriteFile(file, []byte(content(t, "70-rig.rules")), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tool, "verify", file).CombinedOutput()
	if err != nil && strings.Contains(string(out), "Unknown command") {
		t.Skip("udevadm has no verify before systemd 254")
	}
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// Every rule is a list of keys with an operator and a quoted value.
func TestRulesHaveTheShapeOfRules(t *testing.T) {
	for line := range strings.Lines(content(t, "70-rig.rules")) {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		for pair := range strings.SplitSeq(line, ", ") {
			if !strings.HasSuffix(pair, `"`) || strings.Count(pair, `"`) != 2 || !strings.Contains(pair, `="`) {
				t.Errorf("%s: in %s", pair, line)
			}
		}
	}
}

func TestLimitsReachTheGroup(t *testing.T) {
	want := map[string]string{"rtprio": "60", "memlock": "unlimited", "nice": "-10"}
	for line := range strings.Lines(content(t, "rig.limits")) {
		if f := strings.Fields(line); len(f) == 4 && f[0] == "@realtime" && f[1] == "-" && want[f[2]] == f[3] {
			delete(want, f[2])
		}
	}
	if len(want) > 0 {
		t.Errorf("the group realtime does not get %v", want)
	}
}

// content returns one of the files of this folder.
func content(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// need returns the path of a tool, or skips the test.
func need(t *testing.T, tool string) string {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		t.Skipf("%s is not installed here", tool)
	}
	return path
}
