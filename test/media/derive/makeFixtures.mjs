/**
 * Makes the clips of `fixtures/` with ffmpeg; run it by hand (`node test/media/derive/makeFixtures.mjs`) when one is to
 * change, and commit the result: tests never need ffmpeg. Small, with what makes cuts hard: frames that are stored
 * out of order, rates that vary, groups that begin before their key frame, a picture on its side, sound.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';

const folder = path.join(import.meta.dirname, 'fixtures');
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x120:r=25:d=4'];
const sound = ['-f', 'lavfi', '-i', 'sine=f=440:r=16000:d=4'];
const plain = ['-fflags', '+bitexact', '-map_metadata', '-1', '-pix_fmt', 'yuv420p'];
const h264 = (options) => ['-c:v', 'libx264', '-preset', 'veryslow', '-crf', '42', ...options];
const h265 = ['-c:v', 'libx265', '-crf', '42', '-tag:v', 'hvc1', '-x265-params', 'keyint=25:min-keyint=25:open-gop=1:log-level=error']; // prettier-ignore

function make(name, ...options) {
  execFileSync('ffmpeg', ['-v', 'error', '-y', ...options, ...plain, path.join(folder, name)], {
    stdio: 'inherit',
  });
}

make('bframes.mp4', ...picture, ...sound, ...h264(['-g', '25', '-bf', '3']), '-c:a', 'aac', '-b:a', '16k', '-shortest'); // prettier-ignore
make('vfr.mp4', ...picture, '-vf', "select='not(mod(n,7)*mod(n,5))'", '-vsync', 'vfr', ...h264(['-g', '10', '-bf', '2'])); // prettier-ignore
make('opengop.mp4', ...picture, ...h264(['-g', '25', '-bf', '3', '-x264-params', 'open-gop=1']));
make('hevc.mp4', ...picture, ...h265);
make('fragmented.mp4', '-i', path.join(folder, 'bframes.mp4'), '-c', 'copy', '-movflags', 'frag_keyframe+empty_moov'); // prettier-ignore
make('turned.mp4', '-i', path.join(folder, 'vfr.mp4'), '-c', 'copy', '-metadata:s:v:0', 'rotate=90');
