import { isProblem } from '../api/problem.ts'
import { createStore } from '../api/store.ts'

export type PasswordQuestion = { confirm: () => void; cancel: () => void }

export const passwordQuestion = createStore<PasswordQuestion | undefined>(undefined)
let confirmation: Promise<void> | undefined

/** Runs the action. If the API requires a recent sign-in, the user confirms the password and the action runs again. */
export async function withReauthentication<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action()
  } catch (error) {
    if (!isProblem(error, 'reauthentication_required')) throw error
    confirmation ??= askForPassword(error).finally(() => {
      confirmation = undefined
    })
    await confirmation
    return await action()
  }
}

function askForPassword(problem: Error): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    passwordQuestion.set({ confirm: resolve, cancel: () => reject(problem) })
  }).finally(() => passwordQuestion.set(undefined))
}
