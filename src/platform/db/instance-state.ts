declare const brand: unique symbol

/** Identity of one application in this process. All its handles share it, and their transactions carry it. */
export type AppInstance = { readonly [brand]: true }

export const instanceKey = Symbol('instance')
export type InstanceMember = { readonly [instanceKey]: AppInstance }

export const createAppInstance = (): AppInstance => Object.freeze({}) as AppInstance

/** Defines state of an application that is found through its handles and transactions, so that one process can run several. */
export function createInstanceState<T>(name: string) {
  const values = new WeakMap<AppInstance, T>()
  return {
    attach: (member: InstanceMember, value: T): void => void values.set(member[instanceKey], value),
    find: (member: InstanceMember): T | undefined => values.get(member[instanceKey]),
    get(member: InstanceMember): T {
      const value = values.get(member[instanceKey])
      if (value === undefined) throw new Error(`This database handle belongs to an application without a ${name}.`)
      return value
    },
  }
}
