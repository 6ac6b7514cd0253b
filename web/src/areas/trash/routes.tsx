import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { parseTrashSearch } from './trash-search.ts'

export const trashRoutes = <Root extends AnyRoute>(root: Root) => {
  const trash = createRoute({
    getParentRoute: () => root,
    path: '/trash',
    validateSearch: parseTrashSearch,
    component: lazyRouteComponent(() => import('./trash-page.tsx'), 'TrashPage'),
  })
  return [trash] as const
}
