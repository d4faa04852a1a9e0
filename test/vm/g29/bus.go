package g29

import (
	"errors"
	"time"

	"rig.example/rig/test/vm/usbip"
)

// A wheel that receives the command to change its mode leaves the bus after switchTime, and returns after
// unpluggedTime. Both times are assumptions; those of real wheels were not measured.
const (
	switchTime    = 200 * time.Millisecond
	unpluggedTime = 200 * time.Millisecond
)

// plug plugs the wheel in, in compatibility or native mode.
func (w *Wheel) plug(compat bool) error {
	device := w.model.device(w.handleReport)
	if compat {
		device = w.model.compatDevice(w.handleReport)
	}
	w.mu.Lock()
	defer w.mu.Unlock() // handleReport must wait until the port is known
	port, err := usbip.Plug(device)
	if err != nil {
		return err
	}
	w.port, w.native = port, !compat
	return nil
}

// switchToNative unplugs the wheel and plugs it in again with the product number of its native mode.
func (w *Wheel) switchToNative() {
	w.plugMutex.Lock()
	defer w.plugMutex.Unlock()
	time.Sleep(switchTime)
	if w.isUnplugged() || w.isNative() {
		return
	}
	w.currentPort().Unplug()
	time.Sleep(unpluggedTime)
	if err := w.plug(false); err != nil {
		w.mu.Lock()
		w.switchErr = err
		w.mu.Unlock()
	}
}

// Node waits for the wheel's input node in native mode, /dev/input/eventN.
func (w *Wheel) Node() (string, error) {
	const patience, step = 10 * time.Second, 5 * time.Millisecond
	for waited := time.Duration(0); waited < patience; waited += step {
		if w.isNative() {
			return w.currentPort().Node(patience - waited)
		}
		w.mu.Lock()
		err := w.switchErr
		w.mu.Unlock()
		if err != nil {
			return "", err
		}
		time.Sleep(step)
	}
	return "", errors.New("g29: still in compatibility mode; no driver has switched the wheel")
}

// CompatNode waits for the wheel's input node in compatibility mode. The driver soon switches the mode, which
// removes this node.
func (w *Wheel) CompatNode() (string, error) { return w.currentPort().Node(10 * time.Second) }

// Unplug unplugs the wheel. It may be called twice. New plugs in another one.
func (w *Wheel) Unplug() {
	w.once.Do(func() { close(w.unplugged) })
	w.plugMutex.Lock()
	defer w.plugMutex.Unlock()
	w.currentPort().Unplug()
}

// sendInput sends in to the host as an input report. In compatibility mode the wheel sends nothing.
func (w *Wheel) sendInput(in Input) {
	if w.isNative() {
		w.currentPort().Send(w.model.report(in))
	}
}

func (w *Wheel) currentPort() *usbip.Port {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.port
}

func (w *Wheel) isNative() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.native
}

// isUnplugged reports whether Unplug was called.
func (w *Wheel) isUnplugged() bool {
	select {
	case <-w.unplugged:
		return true
	default:
		return false
	}
}
