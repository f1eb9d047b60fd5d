// SPDX-FileCopyrightText: The Tokenpace authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Feeds the same generated streams, cut in the same places, to eventsource-parser and to sse_events, and compares the
// events. Arguments: the folder with node_modules, the program sse_events, how many streams, the seed.

import {spawnSync} from 'node:child_process';
import {createRequire} from 'node:module';
import path from 'node:path';

const [folder, program, count, seed] = process.argv.slice(2);
const {createParser} = createRequire(path.resolve(folder, 'x.js'))('eventsource-parser');

let state = Number(seed) >>> 0;
function random(end) { // mulberry32
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 4294967296) * end);
}
const oneOf = list => list[random(list.length)];

const values = ['', ' ', '  two', 'x', ' a: b', ':', 'data: y', '{"choices":[{"delta":{"content":"Hi"}}]}', '[DONE]', 'ä€😀',
                '\u2028', '\ufeff', '\0', '\t', 'long '.repeat(40)];
const separators = [':', ': ', ':', ': ', ':  '];

function line() {
    switch (random(16)) {
    case 0:
        return ':' + oneOf(values);
    case 1:
        return 'event' + oneOf(separators) + oneOf(values);
    case 2:
        return 'event: ' + oneOf(['message', 'error', 'content_block_delta']);
    case 3:
        return 'id' + oneOf(separators) + oneOf(values);
    case 4:
        return 'retry' + oneOf(separators) + oneOf(['3000', '-1', 'soon', '']);
    case 5:
        return oneOf(['data', 'event', 'id', 'retry']); // a field without a colon has an empty value
    case 6:
        return oneOf(['datax: 1', ' data: 1', 'Data: 1', 'foo', '{"error":"x"}', '\ufeffdata: 1', 'd', '\0']);
    case 7:
    case 8:
    case 9:
    case 10:
        return '';
    default:
        return 'data' + oneOf(separators) + oneOf(values);
    }
}

// The closing comment and blank line leave nothing pending, where the two readers differ on purpose.
function stream() {
    const ends = oneOf([['\n'], ['\r'], ['\r\n'], ['\n', '\r', '\r\n']]);
    let text = oneOf(['', '', '', '\ufeff', '\ufeff\ufeff']);
    for (let lines = random(24); lines > 0; --lines) {
        text += line() + oneOf(ends);
    }
    return Buffer.from(text + '\n\n: end\n', 'utf8');
}

function cut(bytes) {
    const longest = oneOf([1, 2, 8, 64, bytes.length]);
    const pieces = [];
    for (let at = 0; at < bytes.length;) {
        const length = 1 + random(longest);
        pieces.push(bytes.subarray(at, at + length));
        at += length;
    }
    return pieces;
}

// The decoder drops the byte order mark, as the standard tells the caller of a parser to.
function theirs(pieces) {
    const events = [];
    const parser = createParser({onEvent: event => events.push(JSON.stringify([event.event || '', event.data]))});
    const decoder = new TextDecoder();
    for (const piece of pieces) {
        parser.feed(decoder.decode(piece, {stream: true}));
    }
    return events;
}

function frames(pieces) {
    const parts = [];
    for (const piece of [...pieces, Buffer.alloc(0)]) {
        const length = Buffer.alloc(4);
        length.writeUInt32LE(piece.length);
        parts.push(length, piece);
    }
    return Buffer.concat(parts);
}

const streams = Array.from({length: Number(count)}, () => cut(stream()));
const run = spawnSync(program, {input: Buffer.concat(streams.map(frames)), maxBuffer: 2 ** 30});
if (run.status !== 0) {
    console.error(`${program} failed: ${run.error ?? run.stderr}`);
    process.exit(2);
}
const ours = run.stdout.toString('utf8').split('\n');
let next = 0;
let events = 0;
let differences = 0;
for (const pieces of streams) {
    const mine = [];
    for (; ours[next] !== '' && next < ours.length; ++next) {
        mine.push(JSON.stringify(JSON.parse(ours[next])));
    }
    ++next;
    const other = theirs(pieces);
    events += other.length;
    if (mine.join('\n') !== other.join('\n')) {
        ++differences;
        if (differences <= 5) {
            console.log('pieces:', JSON.stringify(pieces.map(piece => piece.toString('latin1'))));
            console.log('ours:  ', mine.join(' '));
            console.log('theirs:', other.join(' '));
        }
    }
}
console.log(`seed ${seed}: ${streams.length} streams, ${events} events, ${differences} streams differ`);
process.exit(differences === 0 && events > streams.length ? 0 : 1);
