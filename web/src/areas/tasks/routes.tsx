import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

export const taskRoutes = <Root extends AnyRoute>(root: Root) => {
  const tasks = createRoute({
    getParentRoute: () => root,
    path: '/tasks',
    component: lazyRouteComponent(() => import('./tasks-page.tsx'), 'TasksPage'),
  })
  return [tasks] as const
}
