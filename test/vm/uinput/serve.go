package uinput

import (
	"time"
	"unsafe"

	"rig.example/rig/test/vm/mono"
)

// Kind is the kind of a request to the device's force feedback.
type Kind int

// Kinds of requests.
const (
	UploadEffect  Kind = iota // Effect is a new effect or changes one
	EraseEffect               // the effect with the number ID is erased
	PlayEffect                // the effect with the number ID plays Value times; 0: it stops
	SetGain                   // the gain is Value, 0..0xffff
	SetAutocenter             // the strength of the centering spring is Value, 0..0xffff
)

// Request is a request to the device's force feedback.
type Request struct {
	At     time.Duration // time at which the device received it, on CLOCK_MONOTONIC
	Kind   Kind
	ID     int16
	Value  int32
	Effect Effect // for UploadEffect
}

// Requests returns the requests received since the last call, in order.
func (d *Device) Requests() []Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	r := d.requests
	d.requests = nil
	return r
}

// Event type of the kernel's requests to a virtual device, and its codes.
const (
	evUinput = 0x0101
	ffUpload = 1
	ffErase  = 2
)

// uploadRequest is struct uinput_ff_upload.
type uploadRequest struct {
	requestID uint32
	retval    int32
	effect    Effect
	old       Effect
}

// eraseRequest is struct uinput_ff_erase.
type eraseRequest struct {
	requestID uint32
	retval    int32
	effect    uint32
}

// serve answers requests until the device is closed. A program that uploads an effect
// waits in the kernel for the answer.
func (d *Device) serve() {
	defer close(d.served)
	for {
		var e Event
		size := int(unsafe.Sizeof(e))
		n, err := d.file.Read(unsafe.Slice((*byte)(unsafe.Pointer(&e)), size))
		if err != nil || n != size {
			return
		}
		d.answer(e)
	}
}

func (d *Device) answer(e Event) {
	switch {
	case e.Type == evUinput && e.Code == ffUpload:
		d.answerUpload(uint32(e.Value))
	case e.Type == evUinput && e.Code == ffErase:
		d.answerErase(uint32(e.Value))
	case e.Type == EvFF && e.Code == FFGain:
		d.record(Request{Kind: SetGain, Value: e.Value})
	case e.Type == EvFF && e.Code == FFAutocenter:
		d.record(Request{Kind: SetAutocenter, Value: e.Value})
	case e.Type == EvFF:
		d.record(Request{Kind: PlayEffect, ID: int16(e.Code), Value: e.Value})
	}
}

// answerUpload accepts an effect after Config.UploadTime. Errors are ignored, because they mean that the
// requesting program has exited.
func (d *Device) answerUpload(requestID uint32) {
	u := uploadRequest{requestID: requestID}
	if ioctl(d.fd, uiBeginUpload, unsafe.Pointer(&u)) != nil {
		return
	}
	mono.SleepUntil(mono.Now() + time.Duration(d.uploadTime.Load()))
	d.record(Request{Kind: UploadEffect, ID: u.effect.ID, Effect: u.effect})
	ioctl(d.fd, uiEndUpload, unsafe.Pointer(&u))
}

func (d *Device) answerErase(requestID uint32) {
	u := eraseRequest{requestID: requestID}
	if ioctl(d.fd, uiBeginErase, unsafe.Pointer(&u)) != nil {
		return
	}
	d.record(Request{Kind: EraseEffect, ID: int16(u.effect)})
	ioctl(d.fd, uiEndErase, unsafe.Pointer(&u))
}

// record sets the time of r, stores r and calls Config.OnRequest.
func (d *Device) record(r Request) {
	r.At = mono.Now()
	d.mu.Lock()
	d.requests = append(d.requests, r)
	d.mu.Unlock()
	if d.onRequest != nil {
		d.onRequest(r)
	}
}
