import { randomInt } from 'node:crypto'
import { parseOptions } from '@node-rs/argon2'
import { hashInThread, verifyInThread } from './hashing-threads.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Of a password nobody knows. Whoever has none is checked against it, so that it takes as long. */
const hashOfNobody = '$argon2id$v=19$m=19456,t=2,p=1$1YO2gurMILdJhGOEx9UTEQ$k/HfI8IhYViM99mEd+/q5sx2+fRnWcT4+g58A6Q0yTg'

export const hashPassword = (password: string): Promise<string> => hashInThread({ password, cost })

/** Without a hash it is the same work, and never the right password. */
export async function verifyPassword(password: string, passwordHash: string | null): Promise<boolean> {
  const isRight = await verifyInThread({ password, against: passwordHash ?? hashOfNobody })
  return isRight && passwordHash !== null
}

/** Made when the cost was lower than it is today. */
export function isOutdated(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash)
  return memoryCost < cost.memoryCost || timeCost < cost.timeCost || parallelism < cost.parallelism
}

/** Without the letters and digits people mistake for one another. */
const legible = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const temporaryLength = 20

export const newTemporaryPassword = (): string =>
  Array.from({ length: temporaryLength }, () => legible[randomInt(legible.length)]).join('')
