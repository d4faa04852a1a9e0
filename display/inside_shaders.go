//go:build cgo

package display

// The mirror shaders draw the picture in a mirror on its face.
const mirrorVertexShader = `#version 330 core
layout(location = 0) in vec3 pos;
layout(location = 1) in vec2 place;
uniform mat4 viewProj, model;
uniform vec2 part; // of the texture that holds the picture
out vec2 where;
void main() {
	where = place * part;
	gl_Position = viewProj * model * vec4(pos, 1.0);
}`

const mirrorFragmentShader = `#version 330 core
in vec2 where;
uniform sampler2D behind;
uniform vec2 last; // texel of the picture
out vec4 color;
void main() { color = vec4(texture(behind, min(where, last)).rgb * vec3(0.86, 0.88, 0.90), 1.0); }`

// The panel shader draws instruments on a plane of the car; its fragment shader is that of the overlay.
const panelVertexShader = `#version 330 core
layout(location = 0) in vec2 pos;
layout(location = 1) in vec2 texel;
layout(location = 2) in vec4 paint;
uniform mat4 viewProj, model;
out vec2 where;
out vec4 tint;
void main() {
	where = texel;
	tint = paint;
	gl_Position = viewProj * model * vec4(pos, 0.0, 1.0);
}`
