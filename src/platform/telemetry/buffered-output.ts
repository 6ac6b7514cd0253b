import { destination } from 'pino'

const maxBuffered = 16_384
const maxDelayMs = 100

type Output = { write(text: string): void; flushSync(): void }

/** Collects lines and writes them together, because a system call per line is expensive. */
export function bufferOutput(writeText: (text: string) => void): Output {
  let buffered = ''
  let timer: NodeJS.Timeout | undefined

  function flushSync(): void {
    clearTimeout(timer)
    timer = undefined
    const text = buffered
    buffered = ''
    if (text) writeText(text)
  }

  return {
    write(text) {
      buffered += text
      if (buffered.length >= maxBuffered) flushSync()
      else timer ??= setTimeout(flushSync, maxDelayMs).unref()
    },
    flushSync,
  }
}

let standardOutput: Output | undefined

/** Standard output of all loggers of the process. `exit` is also emitted after an uncaught exception. */
export function openStandardOutput(): Output {
  if (standardOutput) return standardOutput
  const stream = destination({ dest: 1, sync: true })
  standardOutput = bufferOutput((text) => void stream.write(text))
  process.once('exit', standardOutput.flushSync)
  return standardOutput
}
