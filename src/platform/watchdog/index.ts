export { runAsWork, type Work } from './current-work.ts'
export { type StandstillHandler, startWatchdog } from './watchdog.ts'
