// Package assist simulates the electronics that help the driver: traction control, stability control, launch
// control, the pit limiter, arcade aids that no real car has, and how two keys move throttle and brake.
//
// Inputs are the driver's commands, the switches, the driveline's state and sensors. Outputs are commands for
// engine, clutch and gearbox, brake pressures, a yaw moment and a drag. The package never turns a wheel and
// never moves the car. It estimates the car's speed from wheel speeds and an accelerometer, as a real car
// does. The anti-lock brakes are in package brakes. It reads no clock and allocates nothing after New.
package assist
