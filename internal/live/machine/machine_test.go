package machine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rig.example/rig/internal/kit/evdev"
)

// files makes a folder that stands for /, with files by their paths. A text that begins with "-> " makes a link to
// that path in the folder.
func files(t *testing.T, contents map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for path, text := range contents {
		path = filepath.Join(root, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		var err error
		if target, isLink := strings.CutPrefix(text, "-> "); isLink {
			err = os.Symlink(filepath.Join(root, target), path)
		} else {
			err = os.WriteFile(path, []byte(text+"\n"), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// found collects what a check reports, a line for each problem.
func found(check func(Report)) string {
	text := ""
	check(func(check, where, what, remedy string) {
		text += check + " " + where + ": " + what + " → " + remedy + "\n"
	})
	return text
}

// expect compares what was found with a list of texts that must be in it; none: nothing must be found.
func expect(t *testing.T, name, got string, want ...string) {
	t.Helper()
	if len(want) == 0 && got != "" {
		t.Errorf("%s: found\n%s", name, got)
	}
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%s: %q is missing in\n%s", name, w, got)
		}
	}
}

func TestOnlyMissingGroupsAreJoined(t *testing.T) {
	const etc = "root:x:0:\ninput:x:104:rig,ann\ndialout:x:20:\nrealtime:x:990:rig\nbroken\n"
	all := []Need{{"realtime", "no priority"}, {"input", "no wheel"}, {"dialout", "no platform"}}
	for _, tt := range []struct {
		name   string
		etc    string
		user   User
		needs  []Need
		want   []string
		listed int
	}{
		{"nothing refused", etc, User{"bob", 1000, []int{1000}}, nil, nil, 0},
		{"root", etc, User{"root", 0, []int{0}}, all, nil, 0},
		{"in all", etc, User{"bob", 1000, []int{104, 20, 990}}, all, nil, 0},
		{"in one", etc, User{"bob", 1000, []int{1000, 104}}, all, []string{"groups groups: bob is not in realtime, dialout: no priority; no platform", "`sudo usermod -aG realtime,dialout $USER`"}, 2},
		{"in none", etc, User{"bob", 1000, []int{1000}}, all, []string{"`sudo usermod -aG realtime,input,dialout $USER`"}, 3},
		{"not in this login", etc, User{"ann", 1000, []int{1000, 20, 990}}, all, []string{"login groups: ann joined input after this login: no wheel"}, 1},
		{"not installed", "input:x:104:\n", User{"bob", 1000, []int{104, 20}}, all[:1], []string{"group-missing groups: this machine has no group realtime: no priority"}, 1},
	} {
		root := files(t, map[string]string{"etc/group": tt.etc})
		var listed []string
		got := found(func(r Report) { listed = CheckGroups(root, tt.user, tt.needs, r) })
		expect(t, tt.name, got, tt.want...)
		if strings.Count(got, "\n") != len(tt.want) && len(tt.want) < 2 || len(listed) != tt.listed {
			t.Errorf("%s: %q, found %s", tt.name, listed, got)
		}
	}
}

func TestClocksThatFollowTheLoad(t *testing.T) {
	const policy = "sys/devices/system/cpu/cpufreq/policy0/"
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"a container", nil, nil},
		{"performance", map[string]string{policy + "scaling_governor": "performance"}, nil},
		{"performance by preference", map[string]string{policy + "scaling_governor": "powersave", policy + "energy_performance_preference": "performance"}, nil},
		{"schedutil", map[string]string{policy + "scaling_governor": "schedutil"}, []string{"governor processor: ", "(governor schedutil)", "`echo performance | sudo tee /sys/devices/system/cpu/cpufreq/policy*/scaling_governor`"}},
		{"a laptop", map[string]string{policy + "scaling_governor": "powersave", policy + "energy_performance_preference": "balance_performance"},
			[]string{"(governor powersave with the preference balance_performance)"}},
	} {
		expect(t, tt.name, found(func(r Report) { CheckClock(files(t, tt.files), r) }), tt.want...)
	}
}

func TestTheSlowestIdleStateIsFound(t *testing.T) {
	const state = "sys/devices/system/cpu/cpu0/cpuidle/state"
	c1 := map[string]string{state + "0/name": "POLL", state + "0/latency": "0", state + "1/name": "C1", state + "1/latency": "2"}
	if name, wake, ok := DeepIdle(files(t, c1)); ok {
		t.Errorf("C1 counts as deep: %s %d", name, wake)
	}
	c1[state+"2/name"], c1[state+"2/latency"] = "C6", "133"
	if name, wake, ok := DeepIdle(files(t, c1)); name != "C6" || wake != 133 || !ok {
		t.Errorf("%s %d %v", name, wake, ok)
	}
	c1[state+"2/disable"] = "1"
	if _, _, ok := DeepIdle(files(t, c1)); ok {
		t.Error("a state that is switched off counts")
	}
	if _, _, ok := DeepIdle(t.TempDir()); ok {
		t.Error("a container idles deeply")
	}
}

func TestACoreThatTheLoopSharesIsFound(t *testing.T) {
	const cpu = "sys/devices/system/cpu/"
	machine := func(isolated, online string) string {
		return files(t, map[string]string{cpu + "isolated": isolated, cpu + "online": online, cpu + "cpu3/topology/thread_siblings_list": "3,7"})
	}
	for _, tt := range []struct {
		name, root string
		cpu        int
		want       []string
	}{
		{"shared", machine("2-3", "0-7"), 3, []string{"smt processor: cpu 3 is isolated for the loop, but cpu 7, which is not", "`echo 0 | sudo tee /sys/devices/system/cpu/cpu7/online`"}},
		{"both isolated", machine("3,7", "0-7"), 3, nil},
		{"switched off", machine("3", "0-6"), 3, nil},
		{"not isolated", machine("", "0-7"), 3, nil},
		{"any processor", machine("3", "0-7"), -1, nil},
		{"a container", t.TempDir(), 3, nil},
	} {
		expect(t, tt.name, found(func(r Report) { CheckSiblings(tt.root, tt.cpu, r) }), tt.want...)
	}
}

func TestDevicesThatAreSuspended(t *testing.T) {
	for _, tt := range []struct {
		name, control, delay string
		want                 []string
	}{
		{"on", "on", "2000", nil},
		{"auto", "auto", "2000", []string{"autosuspend wheel: ", "after 2 s", "`echo on | sudo tee /sys/bus/usb/devices/1-2.4/power/control`"}},
		{"auto but never", "auto", "-1000", nil},
		{"a container", "", "", nil},
	} {
		root := files(t, map[string]string{"1-2.4/power/control": tt.control, "1-2.4/power/autosuspend_delay_ms": tt.delay})
		expect(t, tt.name, found(func(r Report) { CheckAutosuspend(root+"/1-2.4", "wheel", r) }), tt.want...)
	}
}

func TestFaultsOfKernels(t *testing.T) {
	moza := evdev.Info{Vendor: 0x346e, Product: 2, Driver: "hid-universal-pidff"}
	rs50 := evdev.Info{Vendor: 0x046d, Product: 0xc276, Driver: "logitech-dd"}
	for _, tt := range []struct {
		kernel  string
		wheel   evdev.Info
		several bool
		want    []string
	}{
		{"6.18.15-1-cachyos", moza, true, []string{"kernel-other-programs kernel: kernel 6.18.15-1-cachyos confuses"}},
		{"7.1.8", moza, true, []string{"kernel 7.1.8"}},
		{"6.18.15", moza, false, nil},
		{"7.2.0-rc3", moza, true, nil},
		{"6.18.15", evdev.Info{Driver: "logitech"}, true, nil},
		{"6.12.90+deb13-amd64", rs50, false, []string{"kernel kernel: kernel 6.12.90+deb13-amd64 gives the RS50"}},
		{"6.12.100+deb13-amd64", rs50, false, []string{"the RS50"}},
		{"6.12.35+deb13-amd64", rs50, false, nil},
		{"6.18.15", rs50, false, nil},
		{"6.12.90+deb13-amd64", moza, false, nil},
		{"unknown", rs50, true, nil},
	} {
		expect(t, tt.kernel, found(func(r Report) { CheckKernel(tt.kernel, tt.wheel, tt.several, r) }), tt.want...)
	}
}

// plugged is a machine with a wheel on USB and the modules of a kernel.
func plugged(t *testing.T, vendor, product, interfaceDriver, hidDriver, modules string) string {
	const usb, hid = "sys/devices/pci0/usb1/1-3/", "1-3:1.0/0003:046D:C24F.0004/"
	contents := map[string]string{
		usb + "idVendor": vendor, usb + "idProduct": product, "sys/bus/usb/devices/1-3": "-> " + usb,
		"lib/modules/6.12.48/modules.dep": modules, "lib/modules/6.1.0-30-cloud-amd64/modules.dep": "",
	}
	if interfaceDriver != "" {
		contents[usb+"1-3:1.0/driver"] = "-> sys/bus/usb/drivers/" + interfaceDriver
	}
	if hidDriver != "" {
		contents[usb+hid+"driver"] = "-> sys/bus/hid/drivers/" + hidDriver
	}
	return files(t, contents)
}

func TestWheelsWithoutTheirDriver(t *testing.T) {
	const kernel = "6.12.48"
	for _, tt := range []struct {
		name, vendor, product, usb, hid, modules, kernel string
		want                                             []string
	}{
		{"G29", "046d", "c24f", "usbhid", "logitech", "", kernel, nil},
		{"G29 without its driver", "046d", "c24f", "usbhid", "hid-generic", "kernel/drivers/hid/hid-logitech.ko.xz: kernel/x.ko", kernel, []string{"wheel-driver wheel: Logitech G29 is bound to hid-generic", "it needs hid-lg4ff", "load it: `sudo modprobe hid-logitech`"}},
		{"G29 in a cloud", "046d", "c24f", "usbhid", "hid-generic", "", "6.1.0-30-cloud-amd64", []string{"`sudo apt install linux-image-amd64`"}},
		{"G29 without any", "046d", "c24f", "usbhid", "", "", kernel, []string{"is bound to no driver", "get it (in the kernel"}},
		{"Fanatec", "0eb7", "0020", "usbhid", "hid-generic", "", kernel, []string{"needs hid-fanatecff", "get it (github.com/gotzl/hid-fanatecff)"}},
		{"Fanatec, built and not loaded", "0eb7", "0020", "usbhid", "hid-generic", "updates/dkms/hid-fanatec.ko.zst:", kernel, []string{"`sudo modprobe hid-fanatec`"}},
		{"G923", "046d", "c266", "usbhid", "hid-generic", "kernel/hid-logitech.ko:", kernel, []string{"needs new-lg4ff", "get it (github.com/berarma/new-lg4ff)"}},
		{"Moza", "346e", "0002", "usbhid", "hid-generic", "kernel/drivers/hid/hid-universal-pidff.ko:", kernel, []string{"`sudo modprobe hid-universal-pidff`"}},
		{"Moza on an old kernel", "346e", "0002", "usbhid", "hid-generic", "", "6.1.158", []string{"get it (in the kernel from 6.12.24"}},
		{"Simucube", "16d0", "0d60", "usbhid", "hid-generic", "", kernel, nil},
		{"G923 of the Xbox in its first mode", "046d", "c26d", "xpad", "", "", kernel, []string{"`sudo apt install usb-modeswitch`"}},
		{"in a compatibility mode", "046d", "c261", "usbhid", "hid-generic", "", kernel, []string{"wheel-mode wheel: Logitech G920 before", "`sudo apt install usb-modeswitch`"}},
		{"a Driving Force", "046d", "c294", "usbhid", "logitech", "", kernel, nil},
		{"T500RS", "044f", "b65e", "usbhid", "hid-generic", "", kernel, []string{"wheel-unsupported wheel: Thrustmaster T500RS"}},
		{"a newer driver", "046d", "c272", "usbhid", "logitech-dd", "", kernel, nil},
		{"a mouse", "046d", "c077", "usbhid", "hid-generic", "", kernel, nil},
	} {
		root := plugged(t, tt.vendor, tt.product, tt.usb, tt.hid, tt.modules)
		var folders []string
		got := found(func(r Report) { folders = CheckWheelDrivers(root, tt.kernel, r) })
		expect(t, tt.name, got, tt.want...)
		if len(folders) != min(len(tt.want), 1) {
			t.Errorf("%s: reported %q", tt.name, folders)
		}
	}
	if got := found(func(r Report) { CheckWheelDrivers(t.TempDir(), kernel, r) }); got != "" {
		t.Errorf("a container: %s", got)
	}
}

func TestOverload(t *testing.T) {
	for load, want := range map[string]string{
		"4.00 1.00 0.50 1/90 100": "", "4.01 1.00 0.50 1/90 100": "the machine is overloaded: load 4 on 2 processors", "50.2 9 9 9/9 9": "the machine is overloaded: load 50 on 2 processors", "": "",
	} {
		if got := Overload(files(t, map[string]string{"proc/loadavg": load, "sys/devices/system/cpu/online": "0-1"})); got != want {
			t.Errorf("%q: %q", load, got)
		}
	}
	if got := Overload(t.TempDir()); got != "" {
		t.Errorf("of no machine: %q", got)
	}
}
