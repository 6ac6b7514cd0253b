import { randomInt } from 'node:crypto'
import { parseOptions } from '@node-rs/argon2'
import { hashInPool, verifyInPool } from './hashing-pool.ts'

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Dummy hash: users without a password take the same time to check. */
const dummyHash = '$argon2id$v=19$m=19456,t=2,p=1$1YO2gurMILdJhGOEx9UTEQ$k/HfI8IhYViM99mEd+/q5sx2+fRnWcT4+g58A6Q0yTg'

export const hashPassword = (tenantId: string, password: string): Promise<string> =>
  hashInPool(tenantId, password, cost)

export async function verifyPassword(
  tenantId: string,
  password: string,
  passwordHash: string | null,
): Promise<boolean> {
  const isCorrect = await verifyInPool(tenantId, password, passwordHash ?? dummyHash)
  return isCorrect && passwordHash !== null
}

export function needsRehash(passwordHash: string): boolean {
  const { memoryCost, timeCost, parallelism } = parseOptions(passwordHash)
  return memoryCost < cost.memoryCost || timeCost < cost.timeCost || parallelism < cost.parallelism
}

const legible = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const temporaryLength = 20

export const generateTemporaryPassword = (): string =>
  Array.from({ length: temporaryLength }, () => legible[randomInt(legible.length)]).join('')
