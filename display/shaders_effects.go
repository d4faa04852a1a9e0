//go:build cgo

package display

// The shaders of what lies on the ground and flies over it.

// The shadow shaders draw the soft shadow below the car.
const shadowVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
uniform mat4 viewProj, model;
out vec2 at;
void main() {
	at = pos;
	gl_Position = viewProj * model * vec4(pos, 0.0, 1.0);
}`

const shadowFragmentShader = `#version 330 core
in vec2 at;
uniform float strength;
out vec4 color;
void main() {
	vec2 off = max(abs(at) - vec2(0.62, 0.45), 0.0) / vec2(0.38, 0.55);
	color = vec4(0.0, 0.0, 0.02, strength * (1.0 - smoothstep(0.0, 1.0, length(off))));
}`

// The caster shaders draw the depth of the car as the sun sees it.
const casterVertexShader = `#version 330 core
layout(location = 0) in vec3 pos;
uniform mat4 viewProj, model;
void main() { gl_Position = viewProj * model * vec4(pos, 1.0); }`

const casterFragmentShader = `#version 330 core
void main() {}`

// The sun shadow shaders darken the ground where the car is between it and the sun.
const sunShadowVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
uniform mat4 viewProj, model, fromSun;
out vec3 place;
void main() {
	vec4 p = model * vec4(pos, 0.0, 1.0);
	vec4 seen = fromSun * p;
	place = seen.xyz * 0.5 + 0.5;
	gl_Position = viewProj * p;
}`

const sunShadowFragmentShader = `#version 330 core
in vec3 place;
uniform sampler2DShadow depths;
uniform float strength;
out vec4 color;
void main() {
	float lit = 0.0, texel = 1.2 / float(textureSize(depths, 0).x);
	for (int i = -1; i <= 1; i++) {
		for (int j = -1; j <= 1; j++) lit += texture(depths, vec3(place.xy + vec2(i, j) * texel, place.z - 0.001));
	}
	color = vec4(0.0, 0.0, 0.02, strength * (1.0 - lit / 9.0));
}`

// The marks shaders draw tire marks. They fade with their age.
const marksOfTiresVertexShader = `#version 330 core
layout(location = 0) in vec3 pos;
layout(location = 1) in vec2 made; // darkness, time
uniform mat4 viewProj;
uniform vec3 eye;
uniform float now;
out float dark;
void main() {
	float age = now - made.y, far = distance(pos, eye);
	dark = age < 0.0 ? 0.0 : 0.5 * made.x * clamp(1.2 - age / 100.0, 0.0, 1.0) * (1.0 - smoothstep(80.0, 300.0, far));
	gl_Position = viewProj * vec4(pos, 1.0);
}`

const marksOfTiresFragmentShader = `#version 330 core
in float dark;
out vec4 color;
void main() { color = vec4(0.012, 0.012, 0.014, dark); }`

// The rain shaders draw streaks of rain around the eye.
const rainVertexShader = `#version 330 core
layout(location = 0) in vec3 place;
layout(location = 1) in vec2 corner;
uniform mat4 viewProj;
uniform vec3 eye, offset, streak, box;
out float opacity;
void main() {
	vec3 off = (fract(place + offset) - 0.5) * box, end = off - streak * corner.y;
	float near = length(off);
	vec3 side = normalize(cross(streak, off) + vec3(1e-5)) * near * 0.0015;
	opacity = 0.55 * smoothstep(1.6, 3.0, near) * (1.0 - smoothstep(5.5, 8.0, near)) * (1.0 - 0.7 * corner.y);
	gl_Position = viewProj * vec4(eye + end + side * corner.x, 1.0);
}`

const rainFragmentShader = `#version 330 core
in float opacity;
uniform vec3 tone;
out vec4 color;
void main() { color = vec4(tone, opacity); }`

// The spray shaders draw puffs of spray behind the wheels.
const sprayVertexShader = `#version 330 core
layout(location = 0) in vec4 seed; // phase, wheel, two random numbers
layout(location = 1) in vec2 corner;
uniform mat4 viewProj;
uniform vec3 eye, velocity, right, up;
uniform vec4 wheels[4]; // contact point, density
uniform float clock;
out vec2 at;
out float opacity;
void main() {
	float age = fract(seed.x + clock * 1.3);
	vec4 wheel = wheels[int(seed.y)];
	vec3 p = wheel.xyz - velocity * age * 0.42 + vec3(-velocity.y, velocity.x, 0.0) * 0.012 * seed.z * age;
	p.z += 0.15 + (1.0 + 0.5 * seed.w) * age * (1.25 - 0.5 * age);
	float size = mix(0.16, 1.0 + 0.3 * seed.w, age);
	opacity = 0.30 * wheel.w * (1.0 - age) * smoothstep(0.0, 0.06, age) * smoothstep(0.8, 3.5, distance(p, eye));
	at = corner;
	gl_Position = viewProj * vec4(p + (right * corner.x + up * corner.y) * size, 1.0);
}`

const sprayFragmentShader = `#version 330 core
in vec2 at;
in float opacity;
uniform vec3 tone;
out vec4 color;
void main() { color = vec4(tone, opacity * max(1.0 - dot(at, at), 0.0)); }`
