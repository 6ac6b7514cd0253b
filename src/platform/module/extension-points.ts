export type ExtensionPoint<T> = { readonly name: string; readonly itemType?: T }

export type Extension = { point: ExtensionPoint<unknown>; items: readonly unknown[] }

export const defineExtensionPoint = <T>(name: string): ExtensionPoint<T> => ({ name })

export const extend = <T>(point: ExtensionPoint<T>, items: readonly T[]): Extension => ({ point, items })

export type ExtensionReader = <T>(point: ExtensionPoint<T>) => T[]

export function collectExtensions(extensions: readonly Extension[]): ExtensionReader {
  const itemsByPoint = new Map<ExtensionPoint<unknown>, unknown[]>()
  const itemsOf = (point: ExtensionPoint<unknown>): unknown[] => {
    const items = itemsByPoint.get(point) ?? []
    itemsByPoint.set(point, items)
    return items
  }
  for (const { point, items } of extensions) itemsOf(point).push(...items)
  return itemsOf as ExtensionReader
}
