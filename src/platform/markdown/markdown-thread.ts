import { parentPort } from 'node:worker_threads'
import { parseText } from './parse-text.ts'

const port = parentPort!

port.on('message', (source: string) => port.postMessage(parseText(source)))
port.postMessage('ready')
