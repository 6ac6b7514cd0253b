import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The command identifies a process together with its id, because the system assigns ids again. */
type Process = { pid: number; command: string | undefined }
type Instance = Process & { children: Process[] }

/** Reserves the data folder for this process and stops servers that a killed process left running in it. */
export async function claimInstance(home: string) {
  const file = join(home, 'running.json')
  const previous = readInstance(file)
  if (previous && isRunning(previous))
    throw new Error(
      `Already running, pid ${previous.pid}. Stop it with Ctrl-C in its terminal or with \`kill ${previous.pid}\`.`,
    )
  await stopProcesses(previous?.children ?? [])
  const instance: Instance = { ...toProcess(process.pid), children: [] }
  const write = () => writeFileSync(file, JSON.stringify(instance))
  write()
  return {
    addChild(pid: number): void {
      instance.children.push(toProcess(pid))
      write()
    },
    release: () => rmSync(file, { force: true }),
  }
}

function readInstance(file: string): Instance | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

async function stopProcesses(processes: Process[]): Promise<void> {
  const running = processes.filter(isRunning)
  for (const { pid } of running) process.kill(pid, 'SIGINT')
  for (let tries = 0; running.some(isRunning) && tries < 200; tries++) await sleep(50)
}

const isRunning = ({ pid, command }: Process): boolean => command !== undefined && command === commandOf(pid)

const toProcess = (pid: number): Process => ({ pid, command: commandOf(pid) })

function commandOf(pid: number): string | undefined {
  try {
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)])
      .toString()
      .trim()
  } catch {
    return undefined
  }
}
