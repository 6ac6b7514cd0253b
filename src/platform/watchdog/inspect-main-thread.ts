import { type Debugger, Session } from 'node:inspector/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readerName, type Work } from './current-work.ts'

const maxMs = 3_000
const maxFrames = 10

type MainThread = { work: Work; stack: string[] }

export async function inspectMainThread(): Promise<MainThread> {
  const session = new Session()
  session.connectToMainThread()
  try {
    const work = await waitAtMost(readWork(session), {})
    return { work, stack: await waitAtMost(readStack(session), []) }
  } finally {
    session.disconnect()
  }
}

const waitAtMost = <T>(result: Promise<T>, otherwise: T): Promise<T> =>
  Promise.race([result.catch(() => otherwise), sleep(maxMs, otherwise)])

async function readWork(session: Session): Promise<Work> {
  const expression = `globalThis[Symbol.for('${readerName}')]()`
  const { result } = await session.post('Runtime.evaluate', { expression, returnByValue: true })
  return result.value as Work
}

async function readStack(session: Session): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<Debugger.CallFrame[]>()
  const urls = new Map<string, string>()
  session.on('Debugger.scriptParsed', ({ params }) => void urls.set(params.scriptId, params.url))
  session.once('Debugger.paused', ({ params }) => resolve(params.callFrames))
  await session.post('Debugger.enable')
  await session.post('Debugger.pause')
  const frames = await promise
  await session.post('Debugger.resume')
  return frames.slice(0, maxFrames).map(({ functionName, location: { scriptId, lineNumber } }) => {
    const file = urls.get(scriptId)?.split('/').slice(-3).join('/')
    return `${functionName || '(anonymous)'} ${file}:${lineNumber + 1}`
  })
}
